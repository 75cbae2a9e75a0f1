// Smoothing of a mesh that is being remeshed: vertices move along the surface towards the middle of their surroundings.
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/remesh/remesher.h"

namespace sinew {

using Eigen::Vector3d;

Vector3d Remesher::Target(int v) const {
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

Vector3d Remesher::BoundaryTarget(int v) const {
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

void Remesher::Smooth() {
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
    ground_.Hold(faces_[v], old_positions[v], moved[v]);
  });
  mesh_.positions = moved;
  ParallelFor(slots, 256, [&](int v) {
    if (!mesh_.HasVertex(v)) return;
    normals_[v] = ground_.Project(faces_[v], normals_[v], mesh_.positions[v]);
  });
  TakeBackFolds(old_positions, old_normals);
}

void Remesher::TakeBackFolds(const std::vector<Vector3d>& positions, const std::vector<Vector3d>& normals) {
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

}  // namespace sinew
