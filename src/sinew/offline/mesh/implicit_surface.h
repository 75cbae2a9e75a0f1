// A solid given by a function of space: negative inside, positive outside, and approximately the signed distance close
// to its surface. Extraction, remeshing and projection work on any such function.
#ifndef SINEW_OFFLINE_MESH_IMPLICIT_SURFACE_H_
#define SINEW_OFFLINE_MESH_IMPLICIT_SURFACE_H_

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace sinew {

class ImplicitSurface {
 public:
  virtual ~ImplicitSurface() = default;

  // Continuously differentiable around the surface, with a gradient of length 0.5 to 1.5 there. May be called from
  // several threads at once. `gradient` may be null.
  virtual double Evaluate(const Eigen::Vector3d& point, Eigen::Vector3d* gradient) const = 0;

  // Box that holds the whole surface.
  virtual Eigen::AlignedBox3d Bounds() const = 0;
};

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_IMPLICIT_SURFACE_H_
