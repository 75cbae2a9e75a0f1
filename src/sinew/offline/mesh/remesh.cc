#include "sinew/offline/mesh/remesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/edit_mesh.h"

namespace sinew {
namespace {

using Eigen::Vector3d;
constexpr int kNone = EditMesh::kNone;
// Cosine of the largest angle between the normals of a triangle and of the surface: triangles must face the way it
// does.
constexpr double kFacing = 0.25;
// Smallest angle, in radians, below which a triangle is in the end edited away or moved into shape.
constexpr double kSliver = 0.3;
// Number of rounds of splitting, collapsing, flipping and smoothing before the number of vertices is made exact; half
// as many of flipping and smoothing follow.
constexpr int kRounds = 12;
// Number of vertices above which a mesh is made from one with a quarter of them, whose triangles are cut in four: these
// are nearly right at once, while splitting edge by edge leaves slivers that take many rounds over all vertices to work
// out.
constexpr int kDirect = 100000;
// Number of rounds after cutting in four.
constexpr int kQuarteredRounds = 2;
// Options for the same edge length everywhere.
const SizeOptions kUniform = {.smallest_radius = 1, .gradation = 1, .exponent = 0, .largest_turn = 1e9, .spare = {}};

// Moves a point onto the surface by Newton's method along the gradient, inside the faces of the domain that the point
// lies on. Returns the surface's normal.
Vector3d Project(const ImplicitSurface& surface, int faces, Vector3d& point) {
  Vector3d gradient;
  for (int step = 0; step < 3; ++step) {
    const double value = surface.Evaluate(point, &gradient);
    Vector3d within = gradient;
    for (int k = 0; k < 3; ++k) {
      if ((faces >> (2 * k)) & 3) within[k] = 0;
    }
    // Where the gradient nearly vanishes (the bottom of a crease) a full step would throw the point away.
    point -= value / std::max(within.squaredNorm(), 0.1) * within;
    if (std::abs(value) < 1e-9) break;
  }
  const double length = gradient.norm();
  return length > 0 ? Vector3d(gradient / length) : Vector3d::UnitY();
}

class Remesher {
 public:
  Remesher(const ImplicitSurface& surface, const FineMesh& start, const RemeshOptions& options, SizeField& field)
      : surface_(surface), options_(options), mesh_(start), field_(field) {
    const int count = mesh_.vertex_slots();
    normals_.assign(count, Vector3d::Zero());
    radii_.assign(count, 1);
    faces_.resize(count);
    ParallelFor(count, 256, [&](int v) { faces_[v] = DomainFaces(options_.domain, mesh_.positions[v]); });
  }

  // Only collapses what is much finer than `length`: badly shaped, but fast. The implicit function is not evaluated.
  FineMesh Thin(double length) {
    lengths_.assign(normals_.size(), length);
    for (int h = 0; h < mesh_.half_edge_slots(); ++h) {
      const int a = mesh_.From(h), b = mesh_.To(h), c = mesh_.Apex(h);
      normals_[a] += (mesh_.positions[b] - mesh_.positions[a]).cross(mesh_.positions[c] - mesh_.positions[a]);
    }
    for (Vector3d& normal : normals_) normal.normalize();
    CollapseShort();
    FlipEdges();
    return mesh_.ToMesh();
  }

  // Moves the vertices without editing the mesh. Returns the number of triangles that are folded over.
  int MoveOnly(const FineMesh& like, const std::vector<double>& lengths, int rounds, FineMesh& mesh) {
    lengths_ = lengths;
    if (rounds > 0) KeepSpacing(like);
    UpdateAll();
    for (int round = 0; round < rounds; ++round) Smooth();
    for (int round = 0; round < rounds && FreeSlivers(); ++round) Smooth();
    // Where triangles are folded, moving on mostly unfolds them.
    for (int round = 0; round < 2 * rounds && Folded() > 0; ++round) Smooth();
    mesh.positions = mesh_.positions;
    return Folded();
  }

  FineMesh Run(int wanted, int rounds) {
    UpdateAll();
    // A half has half of all vertices, plus half of those on the seam.
    scale_ = field_.ScaleFor(options_.half ? wanted / 2.0 : wanted);
    for (int round = 0; round < rounds; ++round) {
      SetLengths();
      SplitLong();
      CollapseShort();
      Relax();
      if (round >= 1) scale_ *= std::clamp(std::sqrt(static_cast<double>(Count()) / wanted), 0.9, 1.1);
    }
    SetLengths();
    MakeExact(wanted);
    for (int round = 0; round < rounds / 2; ++round) Relax();
    for (int attempt = 0; attempt < 20 && EditBadTriangles(); ++attempt) {
      MakeExact(wanted);
      Relax();
      Relax();
    }
    return mesh_.ToMesh();
  }

 private:
  void Update(int v) {
    normals_[v] = Project(surface_, faces_[v], mesh_.positions[v]);
    radii_[v] = field_.Radius(mesh_.positions[v]);
  }

  // Flips or collapses an edge of each triangle that is on edge, turned over or a sliver, as triangles may be in the
  // end where few vertices meet a tight curve. Returns whether there was one.
  bool EditBadTriangles() {
    bool any = false;
    for (int t = 0; t < mesh_.half_edge_slots(); t += 3) {
      if (!mesh_.HasHalfEdge(t)) continue;
      if (FacingOf(t) < kFacing) {
        any = true;
        for (int h = t; h < t + 3; ++h) {
          if (mesh_.HasHalfEdge(h) && (TryFlip(h) || TryCollapse(h, 4))) break;
        }
      } else if (SmallestAngle(mesh_.From(t), mesh_.To(t), mesh_.Apex(t)) < kSliver) {
        any = true;
        EditSliver(t);
      }
    }
    return any;
  }

  // Collapses the short edge of a needle, and flips the long edge of a cap.
  void EditSliver(int t) {
    int longest = t, shortest = t;
    for (int h = t; h < t + 3; ++h) {
      if (EdgeLength(h) > EdgeLength(longest)) longest = h;
      if (EdgeLength(h) < EdgeLength(shortest)) shortest = h;
    }
    const bool needle = EdgeLength(shortest) < 0.4 * EdgeLength(longest);
    if (needle && TryCollapse(shortest, 2)) return;
    if (!TryFlip(longest) && !needle) TryCollapse(shortest, 2);
  }

  double EdgeLength(int h) const { return (mesh_.positions[mesh_.From(h)] - mesh_.positions[mesh_.To(h)]).norm(); }

  bool TryFlip(int h) {
    if (mesh_.Opposite(h) == kNone || !mesh_.CanFlip(h)) return false;
    const int a = mesh_.From(h), b = mesh_.To(h), c = mesh_.Apex(h), d = mesh_.Apex(mesh_.Opposite(h));
    if ((faces_[c] & faces_[d]) != 0 || !Faces(d, c, a) || !Faces(c, d, b)) return false;
    mesh_.Flip(h);
    return true;
  }

  // Facing() of h's triangle.
  double FacingOf(int h) const { return Facing(mesh_.positions, normals_, mesh_.From(h), mesh_.To(h), mesh_.Apex(h)); }

  int Folded() const {
    int folded = 0;
    for (int h = 0; h < mesh_.half_edge_slots(); h += 3) {
      folded += FacingOf(h) <= 0 ? 1 : 0;
    }
    return folded;
  }

  // Makes smoothing aim, from now on, at the place that each vertex has among its neighbours in `like`, however that is
  // spaced.
  void KeepSpacing(const FineMesh& like) {
    const std::vector<Vector3d> positions = mesh_.positions;
    const int count = static_cast<int>(positions.size());
    std::vector<double> sizes(count);
    ParallelFor(count, 256, [&](int v) { sizes[v] = EdgeSum(v); });
    mesh_.positions = like.positions;
    offsets_.resize(count);
    ParallelFor(count, 256, [&](int v) {
      offsets_[v] = (Target(v) - like.positions[v]) * (sizes[v] / std::max(EdgeSum(v), 1e-12));
    });
    mesh_.positions = positions;
  }

  // Frees the corners of slivers from keeping their spacing. Returns whether there are slivers.
  bool FreeSlivers() {
    bool any = false;
    for (int h = 0; h < mesh_.half_edge_slots(); h += 3) {
      const int corners[3] = {mesh_.From(h), mesh_.To(h), mesh_.Apex(h)};
      if (SmallestAngle(corners[0], corners[1], corners[2]) >= kSliver) continue;
      any = true;
      for (const int v : corners) offsets_[v].setZero();
    }
    return any;
  }

  double EdgeSum(int v) const {
    double sum = 0;
    mesh_.VisitNeighbors(v, [&](int w) { sum += (mesh_.positions[w] - mesh_.positions[v]).norm(); });
    return sum;
  }

  void UpdateAll() {
    ParallelFor(mesh_.vertex_slots(), 256, [&](int v) { Update(v); });
  }

  void Relax() {
    FlipEdges();
    Smooth();
    Smooth();
    ParallelFor(mesh_.vertex_slots(), 256, [&](int v) {
      if (mesh_.HasVertex(v)) radii_[v] = field_.Radius(mesh_.positions[v]);
    });
    SetLengths();
  }

  void SetLengths() {
    lengths_.resize(radii_.size());
    ParallelFor(static_cast<int>(radii_.size()), 4096, [&](int v) { lengths_[v] = field_.Length(radii_[v], scale_); });
  }

  bool OnSeam(int v) const { return options_.half && (faces_[v] & 1) != 0; }

  // Number of vertices of the whole mesh, with its mirror image.
  int Count() const {
    if (!options_.half) return mesh_.vertex_count();
    int count = 0;
    for (int v = 0; v < mesh_.vertex_slots(); ++v) {
      if (mesh_.HasVertex(v)) count += OnSeam(v) ? 1 : 2;
    }
    return count;
  }

  // Length of an edge over its desired length.
  double Relative(int h) const {
    const int a = mesh_.From(h), b = mesh_.To(h);
    return (mesh_.positions[a] - mesh_.positions[b]).norm() * 2 / (lengths_[a] + lengths_[b]);
  }

  bool IsFirst(int h) const { return mesh_.HasHalfEdge(h) && mesh_.Opposite(h) < h; }

  void SplitLong() {
    for (int pass = 0; pass < 8; ++pass) {
      const int slots = mesh_.half_edge_slots();
      bool any = false;
      for (int h = 0; h < slots; ++h) {
        if (!IsFirst(h) || Relative(h) <= 4.0 / 3) continue;
        Split(h);
        any = true;
      }
      if (!any) return;
    }
  }

  void Split(int h) {
    const int a = mesh_.From(h), b = mesh_.To(h);
    const bool boundary = mesh_.Opposite(h) == kNone;
    mesh_.Split(h, (mesh_.positions[a] + mesh_.positions[b]) / 2);
    // The next smoothing puts the new vertex onto the surface, in parallel.
    faces_.push_back(boundary ? faces_[a] & faces_[b] : 0);
    normals_.emplace_back((normals_[a] + normals_[b]).normalized());
    radii_.push_back((radii_[a] + radii_[b]) / 2);
    lengths_.push_back((lengths_[a] + lengths_[b]) / 2);
  }

  void CollapseShort() {
    for (int pass = 0; pass < 12; ++pass) {
      const int slots = mesh_.half_edge_slots();
      int collapsed = 0;
      for (int h = 0; h < slots; ++h) {
        if (IsFirst(h) && Relative(h) < 4.0 / 5) collapsed += TryCollapse(h, 4.0 / 3) ? 1 : 0;
      }
      if (collapsed == 0) return;
    }
  }

  bool TryCollapse(int h, double longest) {
    for (const int e : {h, mesh_.Opposite(h)}) {
      if (e == kNone || !MayCollapse(e, longest)) continue;
      mesh_.Collapse(e);
      return true;
    }
    return false;
  }

  bool MayCollapse(int h, double longest) const {
    const int a = mesh_.From(h), b = mesh_.To(h);
    if ((faces_[a] & ~faces_[b]) != 0 || !mesh_.CanCollapse(h)) return false;
    bool good = true;
    mesh_.VisitOut(a, [&](int e) {
      const int c = mesh_.To(e), d = mesh_.Apex(e);
      if (!good || c == b || d == b) return;
      good = Faces(b, c, d) && Fits(b, c, longest) && Fits(b, d, longest);
    });
    return good && !JoinsFaces(a, b);
  }

  // Whether the collapse would make an edge through the inside that connects two boundary vertices of one face, and
  // would meet its own mirror image. None exists before, so a neighbour on the same face as `a` is one along the
  // boundary, and stays so.
  bool JoinsFaces(int a, int b) const {
    if (faces_[b] == 0) return false;
    bool joins = false;
    mesh_.VisitNeighbors(a, [&](int x) {
      const bool same_face = (faces_[x] & faces_[b]) != 0 && (faces_[x] & faces_[a]) == 0;
      joins |= x != b && same_face && !mesh_.Adjacent(x, b);
    });
    return joins;
  }

  bool Fits(int a, int b, double longest) const {
    return (mesh_.positions[a] - mesh_.positions[b]).norm() * 2 <= longest * (lengths_[a] + lengths_[b]);
  }

  // Whether the triangle faces the way its corners do, and is not a needle.
  bool Faces(int a, int b, int c) const {
    const Vector3d &p = mesh_.positions[a], &q = mesh_.positions[b], &r = mesh_.positions[c];
    const double longest = std::max({(q - p).squaredNorm(), (r - q).squaredNorm(), (p - r).squaredNorm()});
    if ((q - p).cross(r - p).norm() < 0.1 * longest) return false;
    return Facing(mesh_.positions, normals_, a, b, c) > kFacing;
  }

  // Cosine of the angle between a triangle's normal and the surface's at its corners.
  static double Facing(const std::vector<Vector3d>& positions, const std::vector<Vector3d>& normals, int a, int b,
                       int c) {
    const Vector3d normal = (positions[b] - positions[a]).cross(positions[c] - positions[a]);
    const Vector3d wanted = normals[a] + normals[b] + normals[c];
    const double size = normal.norm() * wanted.norm();
    return size > 0 ? normal.dot(wanted) / size : -1;
  }

  // Flips edges towards valence 6 (4 on the boundary); if valences are equally good, towards larger smallest angles.
  void FlipEdges() {
    for (int pass = 0; pass < 4; ++pass) {
      int flipped = 0;
      for (int h = 0; h < mesh_.half_edge_slots(); ++h) {
        if (!IsFirst(h) || !ShouldFlip(h)) continue;
        mesh_.Flip(h);
        ++flipped;
      }
      if (flipped == 0) return;
    }
  }

  bool ShouldFlip(int h) const {
    if (mesh_.Opposite(h) == kNone) return false;
    const int a = mesh_.From(h), b = mesh_.To(h), c = mesh_.Apex(h), d = mesh_.Apex(mesh_.Opposite(h));
    if ((faces_[c] & faces_[d]) != 0) return false;
    const auto off = [&](int v, int change) {
      const int difference = mesh_.Valence(v) + change - (mesh_.OnBoundary(v) ? 4 : 6);
      return difference * difference;
    };
    const int before = off(a, 0) + off(b, 0) + off(c, 0) + off(d, 0);
    const int after = off(a, -1) + off(b, -1) + off(c, 1) + off(d, 1);
    if (after > before) return false;
    const double angle_now = std::min(SmallestAngle(a, b, c), SmallestAngle(b, a, d));
    const double angle_then = std::min(SmallestAngle(c, d, b), SmallestAngle(d, c, a));
    // Radians. A better valence is worth some angle, but not a sliver.
    if (after < before ? angle_then < std::min(angle_now, 0.35) : angle_then < angle_now + 0.02) return false;
    return Faces(d, c, a) && Faces(c, d, b) && mesh_.CanFlip(h);
  }

  double SmallestAngle(int a, int b, int c) const {
    const Vector3d p[3] = {mesh_.positions[a], mesh_.positions[b], mesh_.positions[c]};
    double smallest = 4;
    for (int k = 0; k < 3; ++k) {
      const Vector3d u = p[(k + 1) % 3] - p[k], v = p[(k + 2) % 3] - p[k];
      smallest = std::min(smallest, std::atan2(u.cross(v).norm(), u.dot(v)));
    }
    return smallest;
  }

  // Target of smoothing: the centroid of a vertex's surroundings, weighted so that edges get their desired lengths.
  Vector3d Target(int v) const {
    const Vector3d& p = mesh_.positions[v];
    if (faces_[v] != 0) return BoundaryTarget(v);
    Vector3d sum = Vector3d::Zero();
    double total = 0;
    mesh_.VisitOut(v, [&](int h) {
      const int b = mesh_.To(h), c = mesh_.Apex(h);
      const Vector3d &q = mesh_.positions[b], &r = mesh_.positions[c];
      const double length = lengths_[v] + lengths_[b] + lengths_[c];
      const double weight = (q - p).cross(r - p).norm() / (length * length);
      sum += weight * (p + q + r) / 3;
      total += weight;
    });
    return total > 0 ? Vector3d(sum / total) : p;
  }

  Vector3d BoundaryTarget(int v) const {
    const Vector3d& p = mesh_.positions[v];
    Vector3d sum = Vector3d::Zero();
    double total = 0;
    mesh_.VisitNeighbors(v, [&](int w) {
      if ((faces_[w] & faces_[v]) != faces_[v]) return;
      const double weight = (mesh_.positions[w] - p).norm() / (lengths_[v] + lengths_[w]);
      sum += weight * (mesh_.positions[w] + p) / 2;
      total += weight;
    });
    return total > 0 ? Vector3d(sum / total) : p;
  }

  void Smooth() {
    const int slots = mesh_.vertex_slots();
    const std::vector<Vector3d> old_positions = mesh_.positions;
    const std::vector<Vector3d> old_normals = normals_;
    std::vector<Vector3d> moved(slots);
    ParallelFor(slots, 256, [&](int v) {
      moved[v] = mesh_.positions[v];
      if (!mesh_.HasVertex(v)) return;
      Vector3d step = Target(v) - moved[v];
      if (!offsets_.empty()) step -= offsets_[v];
      moved[v] += 0.8 * (step - normals_[v] * normals_[v].dot(step));
      for (int k = 0; k < 3; ++k) {
        if ((faces_[v] >> (2 * k)) & 3) moved[v][k] = old_positions[v][k];
      }
    });
    mesh_.positions = moved;
    ParallelFor(slots, 256, [&](int v) {
      if (!mesh_.HasVertex(v)) return;
      normals_[v] = Project(surface_, faces_[v], mesh_.positions[v]);
    });
    TakeBackFolds(old_positions, old_normals);
  }

  // Moves the corners of triangles that smoothing turned over back to where they were.
  void TakeBackFolds(const std::vector<Vector3d>& positions, const std::vector<Vector3d>& normals) {
    const int triangles = mesh_.half_edge_slots() / 3;
    std::vector<char> folded(triangles);
    for (int pass = 0; pass < 6; ++pass) {
      ParallelFor(triangles, 1024, [&](int t) {
        const int h = 3 * t;
        folded[t] = 0;
        if (!mesh_.HasHalfEdge(h)) return;
        const int a = mesh_.From(h), b = mesh_.To(h), c = mesh_.Apex(h);
        const double facing = Facing(mesh_.positions, normals_, a, b, c);
        folded[t] = facing < kFacing && facing < Facing(positions, normals, a, b, c);
      });
      bool any = false;
      for (int t = 0; t < triangles; ++t) {
        if (!folded[t]) continue;
        for (int h = 3 * t; h < 3 * t + 3; ++h) {
          const int v = mesh_.From(h);
          any |= mesh_.positions[v] != positions[v];
          mesh_.positions[v] = positions[v];
          normals_[v] = normals[v];
        }
      }
      if (!any) return;
    }
  }

  // Splits the longest or collapses the shortest edges, relative to their desired lengths, until the number of vertices
  // is right. An edge of the seam counts once, any other twice (with its mirror image): an odd difference is made even
  // by splitting an edge of the seam, which is always possible.
  void MakeExact(int wanted) {
    for (int pass = 0; pass < 200; ++pass) {
      const int missing = wanted - Count();
      if (missing == 0) return;
      const bool odd = options_.half && missing % 2 != 0;
      const int edits = odd ? 1 : options_.half ? std::abs(missing) / 2 : std::abs(missing);
      // A few hundred at a time, so that no place is edited twice before it is looked at again.
      const int done = Edit(missing > 0 || odd, odd, std::min(edits, std::max(1, wanted / 50)), 1.6 + 0.1 * pass);
      if (done == 0 && pass > 30) break;
    }
    throw FailedError(fmt::format("this surface cannot be meshed with {} vertices; ask for more", wanted));
  }

  int Edit(bool split, bool on_seam, int edits, double longest) {
    std::vector<std::pair<double, int>> edges;
    for (int h = 0; h < mesh_.half_edge_slots(); ++h) {
      if (!IsFirst(h)) continue;
      const bool seam = mesh_.Opposite(h) == kNone && OnSeam(mesh_.From(h)) && OnSeam(mesh_.To(h));
      if (options_.half && seam != on_seam) continue;
      edges.emplace_back(split ? -Relative(h) : Relative(h), h);
    }
    std::sort(edges.begin(), edges.end());
    std::vector<char> touched(mesh_.vertex_slots(), 0);
    int done = 0;
    for (const auto& [order, h] : edges) {
      if (done == edits) break;
      if (!mesh_.HasHalfEdge(h)) continue;
      const int a = mesh_.From(h), b = mesh_.To(h);
      if (touched[a] != 0 || touched[b] != 0) continue;
      const auto touch = [&](int v) { mesh_.VisitNeighbors(v, [&](int w) { touched[w] = 1; }); };
      // Collapsing an edge between the seam and the inside removes the inner vertex: two vertices, as counted.
      touch(a), touch(b);
      if (split) {
        Split(h);
        touched.push_back(1);
      } else if (!TryCollapse(h, longest)) {
        continue;
      }
      ++done;
    }
    return done;
  }

  const ImplicitSurface& surface_;
  const RemeshOptions& options_;
  EditMesh mesh_;
  SizeField& field_;
  double scale_ = 1;
  // One per vertex slot.
  std::vector<Vector3d> normals_;
  std::vector<double> radii_;      // of curvature
  std::vector<double> lengths_;    // desired edge lengths
  std::vector<Vector3d> offsets_;  // from the desired place of a vertex to its Target(); empty: the two are the same
  std::vector<int> faces_;         // see DomainFaces()
};

// Cuts every triangle in four at the midpoints of its edges.
FineMesh Quartered(const FineMesh& mesh) {
  const EditMesh edges(mesh);
  FineMesh fine{.positions = mesh.positions, .triangles = {}};
  std::vector<int> middles(edges.half_edge_slots());
  for (int h = 0; h < edges.half_edge_slots(); ++h) {
    const int opposite = edges.Opposite(h);
    if (opposite != kNone && opposite < h) {
      middles[h] = middles[opposite];
      continue;
    }
    middles[h] = static_cast<int>(fine.positions.size());
    fine.positions.emplace_back((mesh.positions[edges.From(h)] + mesh.positions[edges.To(h)]) / 2);
  }
  fine.triangles.reserve(4 * mesh.triangles.size());
  for (int h = 0; h < edges.half_edge_slots(); h += 3) {
    const int *corner = mesh.triangles[h / 3].data(), *middle = &middles[h];
    for (int k = 0; k < 3; ++k) fine.triangles.push_back({corner[k], middle[k], middle[(k + 2) % 3]});
    fine.triangles.push_back({middle[0], middle[1], middle[2]});
  }
  return fine;
}

FineMesh RemeshTo(const ImplicitSurface& surface, const FineMesh& start, const RemeshOptions& options, SizeField& field,
                  int wanted) {
  if (wanted > kDirect) {
    const FineMesh quarter = RemeshTo(surface, start, options, field, wanted / 4);
    return Remesher(surface, Quartered(quarter), options, field).Run(wanted, kQuarteredRounds);
  }
  // Large meshes change little after the first rounds, and cost the most.
  return Remesher(surface, start, options, field).Run(wanted, wanted > 40000 ? 2 * kRounds / 3 : kRounds);
}

}  // namespace

int DomainFaces(const Eigen::AlignedBox3d& domain, const Vector3d& point) {
  int faces = 0;
  for (int k = 0; k < 3; ++k) {
    if (point[k] == domain.min()[k]) faces |= 1 << (2 * k);
    if (point[k] == domain.max()[k]) faces |= 2 << (2 * k);
  }
  return faces;
}

void ProjectToSurface(const ImplicitSurface& surface, const Eigen::AlignedBox3d& domain,
                      std::vector<Vector3d>& points) {
  ParallelFor(static_cast<int>(points.size()), 256,
              [&](int v) { Project(surface, DomainFaces(domain, points[v]), points[v]); });
}

FineMesh Remesh(const ImplicitSurface& surface, const FineMesh& start, const RemeshOptions& options) {
  SizeField uniform(surface, start, kUniform);
  FineMesh thin = Remesher(surface, start, options, uniform).Thin(options.size.smallest_radius);
  ProjectToSurface(surface, options.domain, thin.positions);
  SizeField field(surface, thin, options.size);
  return RemeshTo(surface, thin, options, field, options.vertex_count);
}

int RelaxOnSurface(const ImplicitSurface& surface, const Eigen::AlignedBox3d& domain, const FineMesh& like,
                   const std::vector<double>& lengths, int rounds, FineMesh& mesh) {
  // Far points need more than one projection's steps.
  for (int pass = 0; pass < 3; ++pass) ProjectToSurface(surface, domain, mesh.positions);
  RemeshOptions options;
  options.domain = domain;
  SizeField uniform(surface, mesh, kUniform);
  return Remesher(surface, mesh, options, uniform).MoveOnly(like, lengths, rounds, mesh);
}

int CountTurned(const ImplicitSurface& surface, const FineMesh& mesh) {
  RemeshOptions options;
  SizeField uniform(surface, mesh, kUniform);
  FineMesh same = mesh;
  return Remesher(surface, mesh, options, uniform).MoveOnly(mesh, {}, 0, same);
}

}  // namespace sinew
