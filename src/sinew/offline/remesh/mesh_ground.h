// One manifold sheet of triangles as the ground of a remesher: its surface, its boundary and the lines between labels.
#ifndef SINEW_OFFLINE_REMESH_MESH_GROUND_H_
#define SINEW_OFFLINE_REMESH_MESH_GROUND_H_

#include <map>
#include <vector>

#include "sinew/offline/mesh/queries.h"
#include "sinew/offline/remesh/remesher.h"

namespace sinew {

// Sheet with the lines on it that remeshing keeps.
struct LinedSheet {
  FineMesh mesh;
  std::vector<int> labels;  // one per triangle
  std::vector<int> faces;   // one per vertex, as in RemeshGround: one bit per kind of line
};

// Finds boundary and label borders of a sheet. Vertices where lines end, meet or turn by more than 60 degrees are
// fixed, and so are those of `fixed` (one per vertex). Edges that connect two vertices of one line beside it are split.
LinedSheet FindLines(const FineMesh& mesh, const std::vector<int>& labels, const std::vector<bool>& fixed);

class MeshGround : public RemeshGround {
 public:
  explicit MeshGround(const LinedSheet& sheet);

  Eigen::Vector3d Project(int faces, const Eigen::Vector3d& normal, Eigen::Vector3d& point) const override;
  void Hold(int faces, const Eigen::Vector3d& before, Eigen::Vector3d& after) const override;
  bool has_inner_lines() const override { return true; }

  const SurfaceQuery& surface() const { return surface_; }
  // Returns about the radius of curvature at each vertex. thickness: or half the thickness, if that is less.
  std::vector<double> Radii(bool thickness) const;

 private:
  Eigen::Vector3d NormalAt(const SurfacePoint& at) const;

  TriMesh mesh_;
  Points normals_;
  SurfaceQuery surface_;
  std::map<int, SurfaceQuery> lines_;  // by bit of the faces
};

}  // namespace sinew

#endif  // SINEW_OFFLINE_REMESH_MESH_GROUND_H_
