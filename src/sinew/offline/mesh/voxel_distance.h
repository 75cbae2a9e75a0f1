// Distances inside a body, through its flesh instead of through the air: from a thigh to the other one by way of the
// pelvis. For any triangles: holes, crossing parts, sheets and islands do no harm.
//
// The body is made of cubes, those that the surface touches and those inside it, and the distance from a bone is found
// by marching from cube to cube (J. A. Sethian, "A fast marching level set method for monotonically advancing fronts",
// 1996; for skinning: O. Dionne, M. de Lasa, "Geodesic voxel binding for production character meshes", 2013).
#ifndef SINEW_OFFLINE_MESH_VOXEL_DISTANCE_H_
#define SINEW_OFFLINE_MESH_VOXEL_DISTANCE_H_

#include <vector>

#include "sinew/offline/mesh/cube_grid.h"

namespace sinew {

class VoxelDistance {
 public:
  // cell_size: edge of the cubes, in the surface's unit. Throws UsageError as MakeCubeGrid() does.
  VoxelDistance(const TriMesh& surface, double cell_size);

  // Returns per vertex of the surface the length of the shortest way through the body from the segment between a and b,
  // which may be the same point. A segment outside the body starts at the cube nearest to it. Vertices that no way
  // leads to, as those of other islands, have the straight distance to the nearest vertex that has one plus its value.
  // May be called from several threads at once.
  std::vector<float> From(const Eigen::Vector3d& a, const Eigen::Vector3d& b) const;

  // Number of cubes of the body.
  int cube_count() const { return static_cast<int>(cubes_.size()); }

 private:
  struct Segment;
  double FromNeighbours(int cube, const std::vector<double>& distance) const;
  void Start(const Segment& segment, std::vector<double>& distance) const;
  void March(std::vector<double>& distance) const;
  float AtVertex(int v, const std::vector<double>& distance) const;
  void FillIslands(const Segment& segment, std::vector<float>& found) const;

  Points positions_;
  CubeGrid grid_;
  std::vector<int> number_;                   // per cell of the grid: number of the cube; -1: not of the body
  std::vector<int> cubes_;                    // cells of the cubes
  std::vector<std::array<int, 6>> touching_;  // per cube: those at its faces, two per axis; -1: none
};

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_VOXEL_DISTANCE_H_
