// Measures the distance between two surfaces.
#ifndef SINEW_OFFLINE_MESH_SURFACE_DISTANCE_H_
#define SINEW_OFFLINE_MESH_SURFACE_DISTANCE_H_

#include <cstdint>
#include <vector>

#include "sinew/offline/mesh/queries.h"

namespace sinew {

struct SurfaceDistance {
  double rms = 0, max = 0;  // in the unit of the positions
};

// A surface with all that measuring takes: what is compared with several others is prepared once. Must have a triangle.
class SampledSurface {
 public:
  // samples: number of points that are spread evenly over the area. The same seed gives the same points.
  SampledSurface(TriMesh mesh, int samples, uint64_t seed = 1);

  const TriMesh& mesh() const { return mesh_; }
  const SurfaceQuery& query() const { return query_; }
  const std::vector<Eigen::Vector3f>& points() const { return points_; }

 private:
  TriMesh mesh_;
  SurfaceQuery query_;
  std::vector<Eigen::Vector3f> points_;
};

// Measures both ways, as TwoSidedDistance() below does.
SurfaceDistance TwoSidedDistance(const SampledSurface& a, const SampledSurface& b);

// Measures from points spread evenly over the area of `from`, and from its vertices, to the nearest point of `to`.
// Neither may be without triangles. The same seed gives the same points.
SurfaceDistance OneSidedDistance(const TriMesh& from, const TriMesh& to, int samples, uint64_t seed = 1);

// Measures both ways, with as many samples each. rms is the root of the mean of the two squares, max the larger of the
// two.
SurfaceDistance TwoSidedDistance(const TriMesh& a, const TriMesh& b, int samples, uint64_t seed = 1);

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_SURFACE_DISTANCE_H_
