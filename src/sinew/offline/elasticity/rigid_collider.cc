#include "sinew/offline/elasticity/rigid_collider.h"

#include "sinew/offline/core/error.h"
#include "sinew/offline/mesh/edges.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/weld.h"

namespace sinew::elasticity {
namespace {

using Eigen::Vector3d;

// Smallest length of the gradient that still gives a direction. A distance has slope 1; far below that, as where a
// field was cut off, the direction is only rounding.
constexpr double kLeastSlope = 0.1;

const TriMesh& Checked(const TriMesh& mesh) {
  const auto refuse = [](const char* sentence) { throw Error(ErrorKind::kInput, sentence); };
  if (mesh.triangle_count() == 0) refuse("a collider has no triangles; give one with a surface");
  if (!mesh.positions.allFinite()) refuse("a collider has a position that is not finite; write it again");
  return mesh;
}

bool IsClosed(const TriMesh& mesh) {
  const TriMesh welded = Weld(mesh, WeldEqual(mesh.positions));
  const EdgeTable edges = BuildEdges(welded.triangles, welded.vertex_count());
  for (int e = 0; e < edges.edge_count(); ++e) {
    if (edges.half_edges[e].size() < 2) return false;
  }
  return true;
}

}  // namespace

MeshCollider::MeshCollider(const TriMesh& mesh)
    : mesh_(Checked(mesh)),
      is_closed_(IsClosed(mesh_)),
      box_(BoundingBox(mesh_.positions)),
      query_(mesh_),
      winding_(mesh_) {
  least_ = 1e-7 * box_.diagonal().norm();
}

std::optional<ColliderPoint> MeshCollider::Find(const Vector3d& x, double within) const {
  const Eigen::Vector3f at = x.cast<float>();
  if (is_closed_ && box_.exteriorDistance(at) > within) return std::nullopt;
  const auto found = query_.Closest(at);
  if (!found) return std::nullopt;
  const std::array<Vector3d, 3> corners = Corners(mesh_, found->triangle);
  const Vector3d face = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized();
  const Vector3d away = x - found->point;
  const double distance = away.norm();
  const bool is_inside = is_closed_ ? winding_.Inside(at) : face.dot(away) < 0;
  if (!is_inside && distance > within) return std::nullopt;
  const double gap = is_inside ? -distance : distance;
  return ColliderPoint{.point = found->point, .normal = distance > least_ ? Vector3d(away / gap) : face, .gap = gap};
}

std::optional<ColliderPoint> GridCollider::Find(const Vector3d& x, double within) const {
  const auto sample = Sample(grid_, x);
  if (!sample || sample->distance > within) return std::nullopt;
  const double slope = sample->gradient.norm();
  if (!(slope > kLeastSlope)) return std::nullopt;
  const Vector3d normal = sample->gradient / slope;
  return ColliderPoint{.point = x - sample->distance * normal, .normal = normal, .gap = sample->distance};
}

}  // namespace sinew::elasticity
