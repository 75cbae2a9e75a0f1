#include "sinew/offline/lod/simplify.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <queue>
#include <set>

#include "sinew/offline/lod/flatten.h"
#include "sinew/offline/lod/quadric.h"
#include "sinew/offline/lod/tracker.h"
#include "sinew/offline/mesh/disjoint_sets.h"
#include "sinew/offline/mesh/edit_mesh.h"
#include "sinew/offline/mesh/queries.h"

namespace sinew {
namespace {

// What a vertex may do. An interior one may go anywhere; one on a line (a boundary, a seam) only along it; one where
// lines end or meet stays, and others may join it; a pinned one lies on a cut and stays in place, too.
enum class Kind : uint8_t { kInterior, kLine, kCorner, kPinned };

struct Candidate {
  double cost;
  int half_edge;
  unsigned stamp;  // only the newest candidate of an edge counts

  bool operator<(const Candidate& other) const {  // the queue gives the largest first
    return cost != other.cost ? cost > other.cost : half_edge > other.half_edge;
  }
};

// Where V may come to be, and how much of the way from I to J that is on a line.
struct Placement {
  Eigen::Vector3d position;
  int v_is = Patch::kV;
  double along = 1;
};

constexpr double kBoundaryWeight = 4;  // of a boundary's or seam's upright plane against the triangle's own
constexpr double kPointWeight = 1e-3;  // of a triangle's corners against its plane: prefers short edges where flat
constexpr double kMaxTurn = 0.35;      // cosine of the angle that a triangle's normal may turn by in one collapse
constexpr double kSliver = 0.12;       // shape below which a collapse may not make a triangle worse

// 1 for an equilateral triangle, 0 for one without area.
double Shape(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c) {
  const double sides = (b - a).squaredNorm() + (c - b).squaredNorm() + (a - c).squaredNorm();
  return sides > 0 ? 2 * std::sqrt(3.0) * (b - a).cross(c - a).norm() / sides : 0;
}

FineMesh ToFineMesh(const Surface& surface, const Sheets& sheets) {
  FineMesh mesh;
  for (const int point : sheets.point_of) mesh.positions.push_back(surface.positions[point]);
  mesh.triangles = sheets.triangles;
  return mesh;
}

}  // namespace

struct Simplifier::State {
  SimplifyOptions options;
  Sheets sheets;
  EditMesh mesh;
  std::vector<int> wedge;           // per half edge: of the corner where it starts
  std::vector<int> part_of;         // per triangle slot
  std::vector<int> triangles_left;  // per part
  Eigen::MatrixXd attributes;
  std::vector<Kind> kinds;
  std::vector<Quadric> quadrics;
  std::vector<unsigned> stamps;  // per half edge: how often it was put into the queue
  Tracker tracker;
  int wedge_slots = 0;
  int points = 0;                      // left
  int input_points = 0;                // of the last snapshot
  std::vector<int> point_at_snapshot;  // per sheet vertex: its point then; -1 if it was gone
  std::vector<Eigen::Vector3d> snapshot_positions;
  std::vector<int> loose;     // points of the last snapshot that lie on no triangle
  std::vector<bool> dropped;  // per vertex: of an island that is shown no more
  std::priority_queue<Candidate> queue;
  std::vector<int> refused;  // half edges whose collapse was not allowed, to be asked again
  // Kept from call to call so that their memory is.
  Patch patch;
  std::vector<int> patch_triangles_before, patch_triangles_after, local_vertices, scratch;

  State(const Surface& surface, SimplifyOptions given);

  bool OnFeature(int h) const;
  void FindKinds();
  void FindQuadrics(const Surface& surface);
  // The half edge that stands for its edge in the queue.
  int Canonical(int h) const {
    const int g = mesh.Opposite(h);
    return g == EditMesh::kNone ? h : std::min(h, g);
  }

  int Directed(int h) const;
  std::vector<Placement> Placements(int h) const;
  void Push(int h);
  bool TryCollapse(int h);
  bool TryPlacement(int h, const Placement& placement);
  void MakePatch(int h);
  bool ShapesAllow() const;
  bool JoinsCopies() const;
  bool EndsPart(int h) const;
  void MoveAttributes(int h, const Placement& placement, const Plane& uv);
  void Commit(int h, const Placement& placement);
  void StartTracking();

  bool Shown(int h) const { return mesh.HasHalfEdge(h) && !dropped[mesh.From(h)]; }
  void AddTriangles(const std::vector<int>& point_of, Surface& surface) const;
  Upsampling Operators(const std::vector<int>& point_of, const Surface& surface) const;
};

Simplifier::State::State(const Surface& surface, SimplifyOptions given)
    : options(std::move(given)),
      sheets(CutIntoSheets(surface.triangles, surface.point_count())),
      mesh(ToFineMesh(surface, sheets)),
      part_of(surface.part_of),
      attributes(surface.wedge_attributes) {
  wedge.resize(mesh.half_edge_slots());
  for (int h = 0; h < mesh.half_edge_slots(); ++h) {
    wedge[h] = options.keep_seams ? surface.wedges[h / 3][h % 3] : mesh.From(h);
  }
  wedge_slots = options.keep_seams ? surface.wedge_count() : mesh.vertex_slots();
  if (!options.keep_seams) attributes.resize(wedge_slots, 0);
  stamps.assign(mesh.half_edge_slots(), 0);
  triangles_left.resize(1 + *std::max_element(part_of.begin(), part_of.end()), 0);
  for (const int part : part_of) ++triangles_left[part];
  FindKinds();
  FindQuadrics(surface);
  input_points = surface.point_count();
  point_at_snapshot = sheets.point_of;
  snapshot_positions = surface.positions;
  dropped.assign(mesh.vertex_slots(), false);
  std::vector<bool> used(surface.point_count(), false);
  for (const int point : sheets.point_of) used[point] = true;
  for (int p = 0; p < surface.point_count(); ++p) {
    if (used[p]) {
      ++points;
    } else {
      loose.push_back(p);
    }
  }
  StartTracking();
  for (int h = 0; h < mesh.half_edge_slots(); ++h) {
    if (Canonical(h) == h) Push(h);
  }
}

bool Simplifier::State::OnFeature(int h) const {
  const int g = mesh.Opposite(h);
  return g == EditMesh::kNone || wedge[h] != wedge[EditMesh::Next(g)] || wedge[EditMesh::Next(h)] != wedge[g];
}

void Simplifier::State::FindKinds() {
  std::vector<int> lines(mesh.vertex_slots(), 0);
  for (int h = 0; h < mesh.half_edge_slots(); ++h) {
    const int g = mesh.Opposite(h);
    if ((g != EditMesh::kNone && g < h) || !OnFeature(h)) continue;
    ++lines[mesh.From(h)];
    ++lines[mesh.To(h)];
  }
  kinds.resize(mesh.vertex_slots());
  for (int v = 0; v < mesh.vertex_slots(); ++v) {
    kinds[v] = sheets.cut[v]   ? Kind::kPinned
               : lines[v] == 0 ? Kind::kInterior
               : lines[v] == 2 ? Kind::kLine
                               : Kind::kCorner;
  }
}

void Simplifier::State::FindQuadrics(const Surface& surface) {
  quadrics.resize(mesh.vertex_slots());
  for (int t = 0; t < surface.triangle_count(); ++t) {
    const Eigen::Vector3d &a = mesh.positions[mesh.From(3 * t)], &b = mesh.positions[mesh.From(3 * t + 1)],
                          &c = mesh.positions[mesh.From(3 * t + 2)];
    const Eigen::Vector3d cross = (b - a).cross(c - a);
    const double area = cross.norm() / 2;
    if (area == 0) continue;
    const double importance = options.importance.empty() ? 1 : options.importance[t];
    const Eigen::Vector3d normal = cross.normalized();
    Quadric own;
    own.AddPlane(normal, a, importance * area);
    own.AddPoint((a + b + c) / 3, importance * kPointWeight * area);
    for (int k = 0; k < 3; ++k) {
      const int h = 3 * t + k;
      quadrics[mesh.From(h)] += own;
      if (!OnFeature(h)) continue;
      const Eigen::Vector3d edge = mesh.positions[mesh.To(h)] - mesh.positions[mesh.From(h)];
      if (edge.squaredNorm() == 0) continue;
      Quadric upright;
      upright.AddPlane(normal.cross(edge).normalized(), mesh.positions[mesh.From(h)],
                       importance * kBoundaryWeight * edge.squaredNorm());
      quadrics[mesh.From(h)] += upright;
      quadrics[mesh.To(h)] += upright;
    }
  }
}

void Simplifier::State::StartTracking() {
  tracker.Reset(input_points, mesh.half_edge_slots() / 3, mesh.vertex_slots());
  std::vector<bool> placed(input_points, false);
  for (int h = 0; h < mesh.half_edge_slots(); ++h) {
    if (!Shown(h)) continue;
    const int point = point_at_snapshot[mesh.From(h)];
    if (placed[point]) continue;
    placed[point] = true;
    Eigen::Vector3d b = Eigen::Vector3d::Zero();
    b[h % 3] = 1;
    tracker.Put(point, h / 3, b);
    tracker.AddOwned(mesh.From(h), 1);
  }
  // Copies of a pinned point on other sheets are that point, and stay.
  for (int v = 0; v < mesh.vertex_slots(); ++v) {
    if (kinds[v] == Kind::kPinned && !dropped[v]) tracker.AddOwned(v, 1);
  }
}

// The half edge along which the edge of h may collapse, From() going and To() staying, if the kinds of the two ends
// allow it; otherwise kNone.
int Simplifier::State::Directed(int h) const {
  const int g = mesh.Opposite(h);
  if (kinds[mesh.From(h)] > kinds[mesh.To(h)]) h = g;
  if (h == EditMesh::kNone) return h;  // a boundary edge, which cannot be run backwards
  const Kind going = kinds[mesh.From(h)];
  // On a line, along the line only.
  const bool allowed = going == Kind::kInterior || (going == Kind::kLine && OnFeature(h));
  return allowed ? h : EditMesh::kNone;
}

// In order of preference. The first costs least.
std::vector<Placement> Simplifier::State::Placements(int h) const {
  const int i = mesh.From(h), j = mesh.To(h);
  const Eigen::Vector3d &pi = mesh.positions[i], &pj = mesh.positions[j];
  const Placement at_i{pi, Patch::kI, 0}, at_j{pj, Patch::kJ, 1};
  if (kinds[i] < kinds[j]) return {at_j};
  Quadric q = quadrics[i];
  q += quadrics[j];
  Placement best;
  if (kinds[i] == Kind::kInterior) {
    // Held toward the middle where the quadric leaves a direction free.
    const Eigen::Vector3d middle = (pi + pj) / 2;
    const double hold = 1e-4 * q.A.trace();
    const Eigen::Matrix3d A = q.A + hold * Eigen::Matrix3d::Identity();
    best.position = A.llt().solve(q.b + hold * middle);
    const double reach = (pj - pi).norm();
    if (!best.position.allFinite() || (best.position - middle).norm() > 2 * reach) best.position = middle;
  } else {
    const Eigen::Vector3d d = pj - pi;
    const double curvature = d.dot(q.A * d);
    best.along = curvature > 0 ? std::clamp(d.dot(q.b - q.A * pi) / curvature, 0.0, 1.0) : 0.5;
    best.position = pi + best.along * d;
    if (best.along == 0) best = at_i;
    if (best.along == 1) best = at_j;
  }
  std::vector<Placement> all{best};
  const bool i_first = q(pi) < q(pj);
  if (best.v_is == Patch::kV) all.push_back(i_first ? at_i : at_j);
  if (best.v_is == Patch::kV) all.push_back(i_first ? at_j : at_i);
  return all;
}

void Simplifier::State::Push(int h) {
  const int directed = Directed(h);
  if (directed == EditMesh::kNone) return;
  Quadric q = quadrics[mesh.From(h)];
  q += quadrics[mesh.To(h)];
  queue.push({std::max(0.0, q(Placements(directed)[0].position)), h, ++stamps[h]});
}

bool Simplifier::State::TryCollapse(int edge) {
  const int h = Directed(edge);
  if (h == EditMesh::kNone || !mesh.CanCollapse(h) || EndsPart(h)) return false;
  MakePatch(h);
  for (const Placement& placement : Placements(h)) {
    if (TryPlacement(h, placement)) return true;
  }
  return false;
}

// The triangles around both ends, with local numbers.
void Simplifier::State::MakePatch(int h) {
  const int i = mesh.From(h), j = mesh.To(h), g = mesh.Opposite(h);
  patch.before.clear();
  patch.after.clear();
  patch_triangles_before.clear();
  patch_triangles_after.clear();
  local_vertices.assign({i, j, -1});
  // Neighbours of J counter-clockwise from I, then those of I from J: in a closed ring that is its order.
  const auto add = [&](int v) {
    if (v != i && v != j && std::find(local_vertices.begin() + 3, local_vertices.end(), v) == local_vertices.end()) {
      local_vertices.push_back(v);
    }
  };
  const auto add_from = [&](int center, int start) {
    scratch.clear();
    mesh.VisitNeighbors(center, [&](int v) { scratch.push_back(v); });
    const auto at = std::find(scratch.begin(), scratch.end(), start);
    std::rotate(scratch.begin(), at, scratch.end());
    for (const int v : scratch) add(v);
  };
  add_from(j, i);
  add_from(i, j);
  const auto local = [&](int v) {
    return static_cast<int>(std::find(local_vertices.begin(), local_vertices.end(), v) - local_vertices.begin());
  };
  const auto add_triangle = [&](int e) {
    const int t = e / 3;
    const std::array<int, 3> corners{local(mesh.From(3 * t)), local(mesh.From(3 * t + 1)), local(mesh.From(3 * t + 2))};
    patch.before.push_back(corners);
    patch_triangles_before.push_back(t);
    if (t == h / 3 || (g != EditMesh::kNone && t == g / 3)) return;
    std::array<int, 3> merged = corners;
    for (int& c : merged) c = c == Patch::kI || c == Patch::kJ ? Patch::kV : c;
    patch.after.push_back(merged);
    patch_triangles_after.push_back(t);
  };
  mesh.VisitOut(i, add_triangle);
  mesh.VisitOut(j, [&](int e) {
    if (e / 3 != h / 3 && (g == EditMesh::kNone || e / 3 != g / 3)) add_triangle(e);
  });
  patch.positions.resize(local_vertices.size());
  for (size_t k = 0; k < local_vertices.size(); ++k) {
    if (local_vertices[k] >= 0) patch.positions[k] = mesh.positions[local_vertices[k]];
  }
  patch.ring_is_cycle = !mesh.OnBoundary(i) && !mesh.OnBoundary(j);
  patch.first = patch.last = -1;
  if (g == EditMesh::kNone) {
    // The boundary arrives at I by the half edge before the last of its fan, and leaves J by the first of its own.
    mesh.VisitOut(i, [&](int e) { patch.first = local(mesh.Apex(e)); });
    int leaving = -1;
    mesh.VisitOut(j, [&](int e) { leaving = leaving < 0 ? local(mesh.To(e)) : leaving; });
    patch.last = leaving;
  }
}

// No triangle turns over, none becomes a sliver that was not one.
bool Simplifier::State::ShapesAllow() const {
  double worst_before = 1;
  for (const auto& t : patch.before) {
    worst_before = std::min(worst_before, Shape(patch.positions[t[0]], patch.positions[t[1]], patch.positions[t[2]]));
  }
  for (size_t k = 0; k < patch.after.size(); ++k) {
    const auto& t = patch.after[k];
    const Eigen::Vector3d &a = patch.positions[t[0]], &b = patch.positions[t[1]], &c = patch.positions[t[2]];
    const int slot = 3 * patch_triangles_after[k];
    const Eigen::Vector3d &oa = mesh.positions[mesh.From(slot)], &ob = mesh.positions[mesh.From(slot + 1)],
                          &oc = mesh.positions[mesh.From(slot + 2)];
    const Eigen::Vector3d now = (b - a).cross(c - a), then = (ob - oa).cross(oc - oa);
    if (now.dot(then) < kMaxTurn * now.norm() * then.norm()) return false;
    if (Shape(a, b, c) < std::min(kSliver, worst_before)) return false;
  }
  return true;
}

// True if a part would lose its last triangle.
bool Simplifier::State::EndsPart(int h) const {
  const int g = mesh.Opposite(h), part = part_of[h / 3];
  const bool both = g != EditMesh::kNone && part_of[g / 3] == part;
  if (triangles_left[part] <= (both ? 2 : 1)) return true;
  return g != EditMesh::kNone && !both && triangles_left[part_of[g / 3]] <= 1;
}

// True if a triangle would have two copies of one point, on different sheets, as corners.
bool Simplifier::State::JoinsCopies() const {
  if (kinds[local_vertices[Patch::kJ]] != Kind::kPinned) return false;
  const int point = sheets.point_of[local_vertices[Patch::kJ]];
  return std::any_of(local_vertices.begin() + Patch::kRing, local_vertices.end(),
                     [&](int v) { return sheets.point_of[v] == point; });
}

bool Simplifier::State::TryPlacement(int h, const Placement& placement) {
  patch.positions[Patch::kV] = placement.position;
  patch.v_is = placement.v_is;
  if (!ShapesAllow() || JoinsCopies()) return false;
  Plane uv;
  if (!Flatten(patch, uv)) return false;
  // In the after triangulation V stands at local vertex J's place in the mesh.
  if (!tracker.Move(patch, uv, patch_triangles_before, patch_triangles_after, local_vertices)) return false;
  if (options.keep_seams) MoveAttributes(h, placement, uv);
  Commit(h, placement);
  return true;
}

// The attributes of V: on a line, between those of I and J on either side; inside, those of the place where V lies.
void Simplifier::State::MoveAttributes(int h, const Placement& placement, const Plane& uv) {
  if (placement.v_is == Patch::kJ && kinds[mesh.From(h)] != kinds[mesh.To(h)]) return;
  const int g = mesh.Opposite(h);
  if (OnFeature(h)) {
    const auto between = [&](int wi, int wj) {
      attributes.row(wj) = (1 - placement.along) * attributes.row(wi) + placement.along * attributes.row(wj);
    };
    between(wedge[h], wedge[EditMesh::Next(h)]);
    if (g != EditMesh::kNone && wedge[g] != wedge[EditMesh::Next(h)]) between(wedge[EditMesh::Next(g)], wedge[g]);
    return;
  }
  const Place place = Locate(uv, patch.before, uv[Patch::kV]);
  const int t = patch_triangles_before[place.triangle];
  Eigen::RowVectorXd there = Eigen::RowVectorXd::Zero(attributes.cols());
  for (int k = 0; k < 3; ++k) there += place.barycentric[k] * attributes.row(wedge[3 * t + k]);
  attributes.row(wedge[EditMesh::Next(h)]) = there;
}

void Simplifier::State::Commit(int h, const Placement& placement) {
  const int i = mesh.From(h), j = mesh.To(h), g = mesh.Opposite(h);
  // I's corners take J's wedge of their side. On a line I's fan has two: left of h, up to the line's other edge, and
  // right of it.
  const int left = wedge[EditMesh::Next(h)], right = g == EditMesh::kNone ? left : wedge[g];
  scratch.clear();
  mesh.VisitOut(i, [&](int e) { scratch.push_back(e); });
  std::rotate(scratch.begin(), std::find(scratch.begin(), scratch.end(), h), scratch.end());
  const auto other = std::find_if(scratch.begin() + 1, scratch.end(), [&](int e) { return OnFeature(e); });
  std::for_each(scratch.begin(), other, [&](int e) { wedge[e] = left; });
  std::for_each(other, scratch.end(), [&](int e) { wedge[e] = right; });
  mesh.positions[j] = placement.position;
  quadrics[j] += quadrics[i];
  kinds[j] = std::max(kinds[i], kinds[j]);
  --triangles_left[part_of[h / 3]];
  if (g != EditMesh::kNone) --triangles_left[part_of[g / 3]];
  mesh.Collapse(h);
  --points;
  mesh.VisitOut(j, [&](int e) {
    Push(Canonical(e));
    if (mesh.Opposite(EditMesh::Previous(e)) == EditMesh::kNone) Push(EditMesh::Previous(e));
  });
}

// The triangles that are left, with wedges numbered in the order of the finest ones.
void Simplifier::State::AddTriangles(const std::vector<int>& point_of, Surface& surface) const {
  std::vector<int> number(wedge_slots, -1);
  for (int h = 0; h < mesh.half_edge_slots(); ++h) {
    if (Shown(h)) number[wedge[h]] = 0;
  }
  std::vector<int> used;
  for (int w = 0; w < wedge_slots; ++w) {
    if (number[w] < 0) continue;
    number[w] = static_cast<int>(used.size());
    used.push_back(w);
  }
  surface.wedge_attributes.resize(static_cast<Eigen::Index>(used.size()), attributes.cols());
  for (size_t w = 0; w < used.size(); ++w) {
    surface.wedge_attributes.row(static_cast<Eigen::Index>(w)) = attributes.row(used[w]);
  }
  surface.point_of_wedge.resize(used.size());
  for (int h = 0; h < mesh.half_edge_slots(); h += 3) {
    if (!Shown(h)) continue;
    Eigen::Vector3i at, wedges;
    for (int k = 0; k < 3; ++k) {
      at[k] = point_of[mesh.From(h + k)];
      wedges[k] = number[wedge[h + k]];
      surface.point_of_wedge[wedges[k]] = at[k];
    }
    surface.triangles.push_back(at);
    surface.wedges.push_back(wedges);
    surface.part_of.push_back(part_of[h / 3]);
  }
}

// From the surface's points to those of the last snapshot.
Upsampling Simplifier::State::Operators(const std::vector<int>& point_of, const Surface& surface) const {
  Upsampling U;
  U.coarse_count = surface.point_count();
  U.corners.resize(input_points);
  U.weights.resize(input_points);
  const auto set = [&](int point, const Eigen::Vector3i& corners, const Eigen::Vector3d& barycentric) {
    for (int k = 0; k < 3; ++k) {
      U.corners[point][k] = corners[k];
      U.weights[point][k] = static_cast<float>(barycentric[k]);
    }
  };
  for (int p = 0; p < input_points; ++p) {
    const auto& [t, barycentric] = tracker.locations()[p];
    if (t < 0 || !Shown(3 * t)) continue;
    set(p, {point_of[mesh.From(3 * t)], point_of[mesh.From(3 * t + 1)], point_of[mesh.From(3 * t + 2)]}, barycentric);
  }
  if (loose.empty()) return U;
  TriMesh shown;
  shown.positions.resize(surface.point_count(), 3);
  for (int p = 0; p < surface.point_count(); ++p) shown.positions.row(p) = surface.positions[p].cast<float>();
  shown.triangles.resize(surface.triangle_count(), 3);
  for (int t = 0; t < surface.triangle_count(); ++t) shown.triangles.row(t) = surface.triangles[t];
  const SurfaceQuery query(shown);
  for (const int p : loose) {
    const SurfacePoint nearest = *query.Closest(snapshot_positions[p].cast<float>());
    set(p, surface.triangles[nearest.triangle], nearest.barycentric.cwiseMax(0));
  }
  return U;
}

Simplifier::Simplifier(const Surface& surface, SimplifyOptions options)
    : state_(std::make_unique<State>(surface, std::move(options))) {}
Simplifier::~Simplifier() = default;

int Simplifier::SimplifyTo(int points) {
  State& s = *state_;
  int before = s.points + 1;
  while (s.points > points && s.points < before) {
    before = s.points;
    while (s.points > points && !s.queue.empty()) {
      const Candidate candidate = s.queue.top();
      s.queue.pop();
      const int h = candidate.half_edge;
      if (!s.mesh.HasHalfEdge(h) || s.Canonical(h) != h || s.stamps[h] != candidate.stamp) continue;
      if (!s.TryCollapse(h)) s.refused.push_back(h);
    }
    if (s.points <= points) break;
    // What was refused may be allowed by now: neighbours have changed.
    std::vector<int> again;
    again.swap(s.refused);
    for (const int h : again) {
      if (s.mesh.HasHalfEdge(h) && s.Canonical(h) == h) s.Push(h);
    }
  }
  return s.points;
}

int Simplifier::DropIslands(double smaller_than) {
  State& s = *state_;
  DisjointSets islands(s.mesh.vertex_slots());
  for (int h = 0; h < s.mesh.half_edge_slots(); ++h) {
    if (s.Shown(h)) islands.Join(s.mesh.From(h), s.mesh.To(h));
  }
  // Sheets that touch at a cut are one island.
  std::vector<int> first(s.input_points, -1);
  for (int v = 0; v < s.mesh.vertex_slots(); ++v) {
    if (!s.mesh.HasVertex(v) || s.dropped[v]) continue;
    int& other = first[s.point_at_snapshot[v]];
    other < 0 ? void(other = v) : islands.Join(other, v);
  }
  std::map<int, Eigen::AlignedBox3d> boxes;
  for (int v = 0; v < s.mesh.vertex_slots(); ++v) {
    if (s.mesh.HasVertex(v) && !s.dropped[v]) boxes[islands.Find(v)].extend(s.mesh.positions[v]);
  }
  std::map<int, std::vector<int>> triangles;
  for (int h = 0; h < s.mesh.half_edge_slots(); h += 3) {
    if (s.Shown(h)) triangles[islands.Find(s.mesh.From(h))].push_back(h / 3);
  }
  std::vector<std::pair<double, int>> order;
  for (const auto& [island, box] : boxes) {
    if (box.diagonal().norm() < smaller_than) order.emplace_back(box.diagonal().norm(), island);
  }
  std::sort(order.begin(), order.end());
  std::set<int> gone;
  for (const auto& [size, island] : order) {
    std::vector<int> left = s.triangles_left;
    for (const int t : triangles[island]) --left[s.part_of[t]];
    if (*std::min_element(left.begin(), left.end()) <= 0) continue;
    s.triangles_left = std::move(left);
    gone.insert(island);
    for (const int t : triangles[island]) s.tracker.VisitPoints(t, [&](int point) { s.loose.push_back(point); });
  }
  for (int v = 0; v < s.mesh.vertex_slots(); ++v) {
    if (!s.mesh.HasVertex(v) || s.dropped[v] || !gone.contains(islands.Find(v))) continue;
    s.dropped[v] = true;
    s.kinds[v] = Kind::kPinned;  // so that nothing collapses there any more
    --s.points;
  }
  return static_cast<int>(gone.size());
}

SimplifiedLevel Simplifier::Snapshot() {
  State& s = *state_;
  SimplifiedLevel level;
  Surface& surface = level.surface;
  // Points: copies of a pinned one on several sheets are one again.
  std::vector<int> point_of(s.mesh.vertex_slots(), -1);
  std::vector<int> point_of_pinned(s.input_points, -1);
  for (int v = 0; v < s.mesh.vertex_slots(); ++v) {
    if (!s.mesh.HasVertex(v) || s.dropped[v]) continue;
    int& pinned = point_of_pinned[s.point_at_snapshot[v]];
    if (s.kinds[v] == Kind::kPinned && pinned >= 0) {
      point_of[v] = pinned;
      continue;
    }
    pinned = point_of[v] = surface.point_count();
    surface.positions.push_back(s.mesh.positions[v]);
    level.finest.push_back(s.sheets.point_of[v]);
  }
  s.AddTriangles(point_of, surface);
  level.upsampling = s.Operators(point_of, surface);
  s.input_points = surface.point_count();
  s.point_at_snapshot = std::move(point_of);
  s.snapshot_positions = surface.positions;
  s.loose.clear();
  s.StartTracking();
  return level;
}

}  // namespace sinew
