// Rigid colliders that flesh cannot enter, given by a mesh or by a signed distance on a grid.
#ifndef SINEW_OFFLINE_ELASTICITY_RIGID_COLLIDER_H_
#define SINEW_OFFLINE_ELASTICITY_RIGID_COLLIDER_H_

#include <optional>
#include <utility>

#include "sinew/offline/mesh/distance_grid.h"
#include "sinew/offline/mesh/queries.h"
#include "sinew/offline/mesh/winding_number.h"

namespace sinew::elasticity {

// Point of a collider's surface nearest to a query point x: x = point + gap normal, with gap negative inside.
struct ColliderPoint {
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();
  double gap = 0;
};

class RigidCollider {
 public:
  virtual ~RigidCollider() = default;
  // Finds the surface point nearest to x. Returns nothing if x is outside and farther away than `within`. May be called
  // from any number of threads at once.
  virtual std::optional<ColliderPoint> Find(const Eigen::Vector3d& x, double within) const = 0;
};

// Collider given by a triangle mesh. A closed mesh has an inside whichever way its triangles face. For an open mesh,
// such as a floor, a point is inside if it lies behind the nearest triangle.
class MeshCollider : public RigidCollider {
 public:
  // Throws Error (kInput) if the mesh has no triangles or a position is not finite.
  explicit MeshCollider(const TriMesh& mesh);
  std::optional<ColliderPoint> Find(const Eigen::Vector3d& x, double within) const override;

 private:
  TriMesh mesh_;
  bool is_closed_;
  double least_;  // distance up to which a point counts as on the surface
  Box box_;
  SurfaceQuery query_;
  WindingNumber winding_;
};

// Collider given by a signed distance on a grid. Find() returns nothing outside of the grid, and nothing where the
// distance is nearly constant, because its gradient then shows no way out.
class GridCollider : public RigidCollider {
 public:
  explicit GridCollider(DistanceGrid grid) : grid_(std::move(grid)) {}
  std::optional<ColliderPoint> Find(const Eigen::Vector3d& x, double within) const override;

 private:
  DistanceGrid grid_;
};

}  // namespace sinew::elasticity

#endif  // SINEW_OFFLINE_ELASTICITY_RIGID_COLLIDER_H_
