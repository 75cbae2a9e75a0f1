// A rigid thing that flesh cannot enter: the signed distance to a mesh, or one that is given on a grid.
#ifndef SINEW_OFFLINE_ELASTICITY_RIGID_COLLIDER_H_
#define SINEW_OFFLINE_ELASTICITY_RIGID_COLLIDER_H_

#include <optional>
#include <utility>

#include "sinew/offline/mesh/distance_grid.h"
#include "sinew/offline/mesh/queries.h"
#include "sinew/offline/mesh/winding_number.h"

namespace sinew::elasticity {

// The nearest place of its surface: x = point + gap normal, gap negative inside.
struct ColliderPoint {
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();
  double gap = 0;
};

class RigidCollider {
 public:
  virtual ~RigidCollider() = default;
  // Nothing if x is outside and farther away than `within`. From any number of threads at once.
  virtual std::optional<ColliderPoint> Find(const Eigen::Vector3d& x, double within) const = 0;
};

// Closed meshes have an inside whatever way they face. Of an open one, such as a floor, all that lies behind its
// nearest triangle is inside.
class MeshCollider : public RigidCollider {
 public:
  // Triangles and finite positions; else UsageError.
  explicit MeshCollider(const TriMesh& mesh);
  std::optional<ColliderPoint> Find(const Eigen::Vector3d& x, double within) const override;

 private:
  TriMesh mesh_;
  bool is_closed_;
  double least_;  // a gap that is nothing
  Box box_;
  SurfaceQuery query_;
  WindingNumber winding_;
};

// Nothing is outside of the grid, nor where the distance has no slope, which says no way out.
class GridCollider : public RigidCollider {
 public:
  explicit GridCollider(DistanceGrid grid) : grid_(std::move(grid)) {}
  std::optional<ColliderPoint> Find(const Eigen::Vector3d& x, double within) const override;

 private:
  DistanceGrid grid_;
};

}  // namespace sinew::elasticity

#endif  // SINEW_OFFLINE_ELASTICITY_RIGID_COLLIDER_H_
