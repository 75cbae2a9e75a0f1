// One collapse of the simplifier: whether it is allowed, the position of the new vertex, and the update of the state.
#include <Eigen/Cholesky>
#include <array>
#include <cmath>

#include "sinew/offline/lod/simplifier_state.h"

namespace sinew::lod {
namespace {

constexpr double kMaxTurn = 0.35;  // cosine of the largest angle that a triangle's normal may turn by in one collapse
constexpr double kSliver = 0.12;   // shape below which a collapse may not make a triangle worse

// Shape of a triangle: 1 if it is equilateral, 0 if it has no area.
double Shape(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c) {
  const double sides = (b - a).squaredNorm() + (c - b).squaredNorm() + (a - c).squaredNorm();
  return sides > 0 ? 2 * std::sqrt(3.0) * (b - a).cross(c - a).norm() / sides : 0;
}

}  // namespace

// Returns the half edge along which the edge of h may collapse, From() going and To() staying, if the kinds of the two
// ends allow it; otherwise kNone.
int Simplifier::State::Directed(int h) const {
  const int g = mesh.Opposite(h);
  if (kinds[mesh.From(h)] > kinds[mesh.To(h)]) h = g;
  if (h == EditMesh::kNone) return h;  // a boundary edge, which cannot be run backwards
  const VertexKind going = kinds[mesh.From(h)];
  // A vertex on a line collapses only along the line.
  const bool allowed = going == VertexKind::kInterior || (going == VertexKind::kLine && OnFeature(h));
  return allowed ? h : EditMesh::kNone;
}

// Returns the candidate positions of V, in order of preference. The first costs least.
std::vector<Placement> Simplifier::State::Placements(int h) const {
  const int i = mesh.From(h), j = mesh.To(h);
  const Eigen::Vector3d &pi = mesh.positions[i], &pj = mesh.positions[j];
  const Placement at_i{pi, Patch::kI, 0}, at_j{pj, Patch::kJ, 1};
  if (kinds[i] < kinds[j]) return {at_j};
  Quadric q = quadrics[i];
  q += quadrics[j];
  Placement best;
  if (kinds[i] == VertexKind::kInterior) {
    // Regularised toward the middle, for directions that the quadric leaves free.
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

// Fills `patch` with the triangles around both ends, in local numbers.
void Simplifier::State::MakePatch(int h) {
  const int i = mesh.From(h), j = mesh.To(h), g = mesh.Opposite(h);
  patch.before.clear();
  patch.after.clear();
  patch_triangles_before.clear();
  patch_triangles_after.clear();
  local_vertices.assign({i, j, -1});
  // Number the ring: neighbours of J counter-clockwise from I, then those of I from J, which is a closed ring's order.
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
  // Add the triangles before the collapse, and those that remain after it.
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
  // Fill in positions, except for V's, and the course of the boundary.
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

// Whether no triangle turns over, and none becomes a sliver that was not one.
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

// Whether a part would lose its last triangle.
bool Simplifier::State::EndsPart(int h) const {
  const int g = mesh.Opposite(h), part = part_of[h / 3];
  const bool both = g != EditMesh::kNone && part_of[g / 3] == part;
  if (triangles_left[part] <= (both ? 2 : 1)) return true;
  return g != EditMesh::kNone && !both && triangles_left[part_of[g / 3]] <= 1;
}

// Whether a triangle would have two copies of one point, on different sheets, as corners.
bool Simplifier::State::JoinsCopies() const {
  if (kinds[local_vertices[Patch::kJ]] != VertexKind::kPinned) return false;
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
  // After the collapse V has the number of J in the mesh.
  if (!tracker.Move(patch, uv, patch_triangles_before, patch_triangles_after, local_vertices)) return false;
  if (options.keep_seams && attributes.cols() > 0) MoveAttributes(h, placement, uv);
  Commit(h, placement);
  return true;
}

// Sets the attributes of V: on a line, between those of I and J on either side; inside, those of the place where V
// lies.
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
  // I's corners take J's wedge of their side. On a line I's fan has two sides: left of h, up to the line's other edge,
  // and right of it.
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

}  // namespace sinew::lod
