// Distances through the inside of a body, on voxels (O. Dionne, M. de Lasa, "Geodesic Voxel Binding for Production
// Character Meshes", 2013): any mesh has them, whether it is closed, crosses itself or lies in pieces.
//
//   const VoxelBody body(mesh, {});
//   const std::vector<float> distances = body.DistancesFrom(joint);
#ifndef SINEW_OFFLINE_MESH_VOXEL_GEODESICS_H_
#define SINEW_OFFLINE_MESH_VOXEL_GEODESICS_H_

#include <array>
#include <vector>

#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew {

struct VoxelOptions {
  int resolution = 128;  // number of voxels along the longest side of the mesh's box, 4 to 512
};

class VoxelBody {
 public:
  // Voxels that the surface goes through, or whose centre is inside it (winding_number.h), are the body. Throws
  // UsageError for a mesh without vertices, with positions that are not finite, or another resolution.
  VoxelBody(const TriMesh& mesh, const VoxelOptions& options);

  double voxel_size() const { return size_; }
  int voxel_count() const { return static_cast<int>(centres_.rows()); }
  // Centres of the body's voxels, in order of x, then y, then z.
  const Points& centres() const { return centres_; }
  // Voxel at the given place of the grid, or -1 if it is not of the body.
  int VoxelAt(const Eigen::Vector3i& place) const;

  // Length of the shortest way from a point to every vertex of the mesh: straight to the voxel that is nearest to the
  // point, from voxel to voxel over faces, edges and corners, and straight to the vertex. Ways along the grid are up to
  // 13% longer than straight ones. Voxels that no way leads to have the straight distance to the nearest voxel that has
  // one plus its value, so that islands are never infinitely far. May be called from several threads at once.
  std::vector<float> DistancesFrom(const Eigen::Vector3d& start) const;
  // The same for the voxels.
  std::vector<float> VoxelDistancesFrom(const Eigen::Vector3d& start) const;

 private:
  Eigen::Vector3i PlaceOf(const Eigen::Vector3d& point) const;
  void MarkSurface(const TriMesh& mesh, std::vector<char>& solid) const;
  void MarkInside(const TriMesh& mesh, std::vector<char>& solid) const;
  void JumpGaps(std::vector<float>& distances) const;
  size_t IndexOf(const Eigen::Vector3i& place) const;

  Eigen::Vector3d origin_ = Eigen::Vector3d::Zero();
  double size_ = 1;
  Eigen::Vector3i counts_ = Eigen::Vector3i::Zero();
  std::vector<int> voxel_of_;  // per place of the grid: voxel, or -1
  std::vector<Eigen::Vector3i> places_;
  Points centres_;
  std::vector<std::array<int, 26>> neighbours_;  // per voxel; -1: none there
  Points vertices_;
};

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_VOXEL_GEODESICS_H_
