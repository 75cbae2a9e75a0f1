#include "sinew/offline/remesh/remesher.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"

namespace sinew {
namespace {

using Eigen::Vector3d;
constexpr int kNone = EditMesh::kNone;
// Smallest angle, in radians, below which a triangle is in the end edited away or moved into shape.
constexpr double kSliver = 0.3;

}  // namespace

Remesher::Remesher(const RemeshGround& ground, const FineMesh& start, std::vector<int> faces, bool half,
                   SizeField& field)
    : ground_(ground), half_(half), mesh_(start), field_(field), faces_(std::move(faces)) {
  const int count = mesh_.vertex_slots();
  normals_.assign(count, Vector3d::Zero());
  radii_.assign(count, 1);
}

void Remesher::NormalsFromMesh() {
  for (int h = 0; h < mesh_.half_edge_slots(); ++h) {
    const int a = mesh_.From(h), b = mesh_.To(h), c = mesh_.Apex(h);
    normals_[a] += (mesh_.positions[b] - mesh_.positions[a]).cross(mesh_.positions[c] - mesh_.positions[a]);
  }
  for (Vector3d& normal : normals_) normal.normalize();
}

FineMesh Remesher::Thin(double length) {
  lengths_.assign(normals_.size(), length);
  NormalsFromMesh();
  CollapseShort();
  FlipEdges();
  return mesh_.ToMesh();
}

int Remesher::MoveOnly(const FineMesh& like, const std::vector<double>& lengths, int rounds, FineMesh& mesh) {
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

FineMesh Remesher::Run(int wanted, int rounds) {
  if (Approach(wanted, rounds)) return mesh_.ToMesh();
  throw FailedError(fmt::format("this surface cannot be meshed with {} vertices; ask for more", wanted));
}

bool Remesher::Approach(int wanted, int rounds) {
  UpdateAll();
  // A half has half of all vertices, plus half of those on the seam.
  scale_ = field_.ScaleFor(half_ ? wanted / 2.0 : wanted);
  for (int round = 0; round < rounds; ++round) {
    SetLengths();
    SplitLong();
    CollapseShort();
    Relax();
    if (round >= 1) scale_ *= std::clamp(std::sqrt(static_cast<double>(Count()) / wanted), 0.9, 1.1);
  }
  SetLengths();
  bool exact = MakeExact(wanted);
  for (int round = 0; round < rounds / 2; ++round) Relax();
  for (int attempt = 0; attempt < 20 && EditBadTriangles(); ++attempt) {
    exact = MakeExact(wanted);
    Relax();
    Relax();
  }
  return exact;
}

void Remesher::Update(int v) {
  normals_[v] = ground_.Project(faces_[v], normals_[v], mesh_.positions[v]);
  radii_[v] = field_.Radius(mesh_.positions[v]);
}

bool Remesher::EditBadTriangles() {
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

void Remesher::EditSliver(int t) {
  int longest = t, shortest = t;
  for (int h = t; h < t + 3; ++h) {
    if (EdgeLength(h) > EdgeLength(longest)) longest = h;
    if (EdgeLength(h) < EdgeLength(shortest)) shortest = h;
  }
  const bool needle = EdgeLength(shortest) < 0.4 * EdgeLength(longest);
  if (needle && TryCollapse(shortest, 2)) return;
  if (!TryFlip(longest) && !needle) TryCollapse(shortest, 2);
}

double Remesher::EdgeLength(int h) const {
  return (mesh_.positions[mesh_.From(h)] - mesh_.positions[mesh_.To(h)]).norm();
}

bool Remesher::TryFlip(int h) {
  if (mesh_.Opposite(h) == kNone || OnInnerLine(h) || !mesh_.CanFlip(h)) return false;
  const int a = mesh_.From(h), b = mesh_.To(h), c = mesh_.Apex(h), d = mesh_.Apex(mesh_.Opposite(h));
  if (Share(c, d) || !Faces(d, c, a) || !Faces(c, d, b)) return false;
  mesh_.Flip(h);
  return true;
}

double Remesher::FacingOf(int h) const {
  return Facing(mesh_.positions, normals_, mesh_.From(h), mesh_.To(h), mesh_.Apex(h));
}

int Remesher::Folded() const {
  int folded = 0;
  for (int h = 0; h < mesh_.half_edge_slots(); h += 3) {
    folded += FacingOf(h) <= 0 ? 1 : 0;
  }
  return folded;
}

void Remesher::KeepSpacing(const FineMesh& like) {
  const std::vector<Vector3d> positions = mesh_.positions;
  const int count = static_cast<int>(positions.size());
  std::vector<double> sizes(count);
  ParallelFor(count, 256, [&](int v) { sizes[v] = EdgeSum(v); });
  mesh_.positions = like.positions;
  offsets_.resize(count);
  ParallelFor(count, 256,
              [&](int v) { offsets_[v] = (Target(v) - like.positions[v]) * (sizes[v] / std::max(EdgeSum(v), 1e-12)); });
  mesh_.positions = positions;
}

bool Remesher::FreeSlivers() {
  bool any = false;
  for (int h = 0; h < mesh_.half_edge_slots(); h += 3) {
    const int corners[3] = {mesh_.From(h), mesh_.To(h), mesh_.Apex(h)};
    if (SmallestAngle(corners[0], corners[1], corners[2]) >= kSliver) continue;
    any = true;
    for (const int v : corners) offsets_[v].setZero();
  }
  return any;
}

double Remesher::EdgeSum(int v) const {
  double sum = 0;
  mesh_.VisitNeighbors(v, [&](int w) { sum += (mesh_.positions[w] - mesh_.positions[v]).norm(); });
  return sum;
}

void Remesher::UpdateAll() {
  ParallelFor(mesh_.vertex_slots(), 256, [&](int v) { Update(v); });
}

void Remesher::Relax() {
  FlipEdges();
  Smooth();
  Smooth();
  ParallelFor(mesh_.vertex_slots(), 256, [&](int v) {
    if (mesh_.HasVertex(v)) radii_[v] = field_.Radius(mesh_.positions[v]);
  });
  SetLengths();
}

void Remesher::SetLengths() {
  lengths_.resize(radii_.size());
  ParallelFor(static_cast<int>(radii_.size()), 4096, [&](int v) { lengths_[v] = field_.Length(radii_[v], scale_); });
}

bool Remesher::OnSeam(int v) const { return half_ && (faces_[v] & 1) != 0; }

int Remesher::Count() const {
  if (!half_) return mesh_.vertex_count();
  int count = 0;
  for (int v = 0; v < mesh_.vertex_slots(); ++v) {
    if (mesh_.HasVertex(v)) count += OnSeam(v) ? 1 : 2;
  }
  return count;
}

double Remesher::Relative(int h) const {
  const int a = mesh_.From(h), b = mesh_.To(h);
  return (mesh_.positions[a] - mesh_.positions[b]).norm() * 2 / (lengths_[a] + lengths_[b]);
}

bool Remesher::OnInnerLine(int h) const { return ground_.has_inner_lines() && Share(mesh_.From(h), mesh_.To(h)); }

bool Remesher::IsFirst(int h) const { return mesh_.HasHalfEdge(h) && mesh_.Opposite(h) < h; }

void Remesher::SplitLong() {
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

void Remesher::Split(int h, double share) {
  const int a = mesh_.From(h), b = mesh_.To(h);
  const bool bound = mesh_.Opposite(h) == kNone || OnInnerLine(h);
  if (!labels_.empty()) {
    labels_.push_back(labels_[h / 3]);
    if (mesh_.Opposite(h) != kNone) labels_.push_back(labels_[mesh_.Opposite(h) / 3]);
  }
  mesh_.Split(h, (1 - share) * mesh_.positions[a] + share * mesh_.positions[b]);
  // The next smoothing puts the new vertex onto the surface, in parallel.
  faces_.push_back(bound ? faces_[a] & faces_[b] & ~RemeshGround::kFixed : 0);
  normals_.emplace_back((normals_[a] + normals_[b]).normalized());
  radii_.push_back((radii_[a] + radii_[b]) / 2);
  lengths_.push_back((lengths_[a] + lengths_[b]) / 2);
}

void Remesher::CollapseShort() {
  for (int pass = 0; pass < 12; ++pass) {
    const int slots = mesh_.half_edge_slots();
    int collapsed = 0;
    for (int h = 0; h < slots; ++h) {
      if (IsFirst(h) && Relative(h) < 4.0 / 5) collapsed += TryCollapse(h, 4.0 / 3) ? 1 : 0;
    }
    if (collapsed == 0) return;
  }
}

bool Remesher::TryCollapse(int h, double longest) {
  for (const int e : {h, mesh_.Opposite(h)}) {
    if (e == kNone || !MayCollapse(e, longest)) continue;
    mesh_.Collapse(e);
    return true;
  }
  return false;
}

bool Remesher::MayCollapse(int h, double longest) const {
  const int a = mesh_.From(h), b = mesh_.To(h);
  if ((faces_[a] & ~faces_[b]) != 0 || (faces_[a] & RemeshGround::kFixed) != 0 || !mesh_.CanCollapse(h)) return false;
  bool good = true;
  mesh_.VisitOut(a, [&](int e) {
    const int c = mesh_.To(e), d = mesh_.Apex(e);
    if (!good || c == b || d == b) return;
    good = Faces(b, c, d) && Fits(b, c, longest) && Fits(b, d, longest);
  });
  return good && !JoinsFaces(a, b);
}

bool Remesher::JoinsFaces(int a, int b) const {
  if (faces_[b] == 0) return false;
  bool joins = false;
  mesh_.VisitNeighbors(a, [&](int x) {
    const bool same_face = Share(x, b) && !Share(x, a);
    joins |= x != b && same_face && !mesh_.Adjacent(x, b);
  });
  return joins;
}

bool Remesher::Fits(int a, int b, double longest) const {
  return (mesh_.positions[a] - mesh_.positions[b]).norm() * 2 <= longest * (lengths_[a] + lengths_[b]);
}

bool Remesher::Faces(int a, int b, int c) const {
  const Vector3d &p = mesh_.positions[a], &q = mesh_.positions[b], &r = mesh_.positions[c];
  const double longest = std::max({(q - p).squaredNorm(), (r - q).squaredNorm(), (p - r).squaredNorm()});
  if ((q - p).cross(r - p).norm() < 0.1 * longest) return false;
  return Facing(mesh_.positions, normals_, a, b, c) > facing_;
}

double Remesher::Facing(const std::vector<Vector3d>& positions, const std::vector<Vector3d>& normals, int a, int b,
                        int c) {
  const Vector3d normal = (positions[b] - positions[a]).cross(positions[c] - positions[a]);
  const Vector3d wanted = normals[a] + normals[b] + normals[c];
  const double size = normal.norm() * wanted.norm();
  return size > 0 ? normal.dot(wanted) / size : -1;
}

void Remesher::FlipEdges() {
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

bool Remesher::ShouldFlip(int h) const {
  if (mesh_.Opposite(h) == kNone || OnInnerLine(h)) return false;
  const int a = mesh_.From(h), b = mesh_.To(h), c = mesh_.Apex(h), d = mesh_.Apex(mesh_.Opposite(h));
  if (Share(c, d)) return false;
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

double Remesher::SmallestAngle(int a, int b, int c) const {
  const Vector3d p[3] = {mesh_.positions[a], mesh_.positions[b], mesh_.positions[c]};
  double smallest = 4;
  for (int k = 0; k < 3; ++k) {
    const Vector3d u = p[(k + 1) % 3] - p[k], v = p[(k + 2) % 3] - p[k];
    smallest = std::min(smallest, std::atan2(u.cross(v).norm(), u.dot(v)));
  }
  return smallest;
}

bool Remesher::MakeExact(int wanted) {
  for (int pass = 0; pass < 200; ++pass) {
    const int missing = wanted - Count();
    if (missing == 0) return true;
    const bool odd = half_ && missing % 2 != 0;
    const int edits = odd ? 1 : half_ ? std::abs(missing) / 2 : std::abs(missing);
    // A few hundred at a time, so that no place is edited twice before it is looked at again.
    const int done = Edit(missing > 0 || odd, odd, std::min(edits, std::max(1, wanted / 50)), 1.6 + 0.1 * pass);
    if (done == 0 && pass > 30) break;
  }
  return false;
}

int Remesher::Edit(bool split, bool on_seam, int edits, double longest) {
  std::vector<std::pair<double, int>> edges;
  for (int h = 0; h < mesh_.half_edge_slots(); ++h) {
    if (!IsFirst(h)) continue;
    const bool seam = mesh_.Opposite(h) == kNone && OnSeam(mesh_.From(h)) && OnSeam(mesh_.To(h));
    if (half_ && seam != on_seam) continue;
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

std::vector<int> Remesher::Labels() const {
  std::vector<int> labels;
  for (int h = 0; h < mesh_.half_edge_slots() && !labels_.empty(); h += 3) {
    if (mesh_.HasHalfEdge(h)) labels.push_back(labels_[h / 3]);
  }
  return labels;
}

}  // namespace sinew
