// Closest-point and ray queries on a surface, by Embree.
#ifndef SINEW_OFFLINE_MESH_QUERIES_H_
#define SINEW_OFFLINE_MESH_QUERIES_H_

#include <limits>
#include <memory>
#include <optional>

#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew {

struct SurfacePoint {
  int triangle = -1;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  Eigen::Vector3d barycentric = Eigen::Vector3d::Zero();  // of the triangle's corners
  double distance = 0;  // from the query point; for a ray, along it, in lengths of its direction
};

// Built once, asked often, from any number of threads at once. Of several triangles at exactly the same distance the
// closest-point query gives the lowest.
class SurfaceQuery {
 public:
  // Keeps a copy of the mesh. Every index must be in range.
  explicit SurfaceQuery(const TriMesh& mesh);
  ~SurfaceQuery();
  SurfaceQuery(SurfaceQuery&&) noexcept;
  SurfaceQuery& operator=(SurfaceQuery&&) noexcept;

  // Returns the closest point of the surface; nothing if no triangle is nearer than max_distance.
  std::optional<SurfacePoint> Closest(const Eigen::Vector3f& point,
                                      float max_distance = std::numeric_limits<float>::infinity()) const;

  // Returns the first point where the ray meets a triangle, from either side, between near and far (in lengths of the
  // direction, which need not be 1); nothing if it meets none. Rays do not slip through common edges.
  std::optional<SurfacePoint> Shoot(const Eigen::Vector3f& origin, const Eigen::Vector3f& direction, float near = 0,
                                    float far = std::numeric_limits<float>::infinity()) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Point of a surface, its unit normal interpolated from those of the corners, and the distance of another point from
// it: negative behind the surface.
struct SurfaceSide {
  Eigen::Vector3d point = Eigen::Vector3d::Zero(), normal = Eigen::Vector3d::Zero();
  double distance = 0;
};
// Returns on which side of the surface `from` is. normals: VertexNormals() of the mesh. at: the point of the surface.
SurfaceSide SideOf(const TriMesh& mesh, const Points& normals, const SurfacePoint& at, const Eigen::Vector3d& from);

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_QUERIES_H_
