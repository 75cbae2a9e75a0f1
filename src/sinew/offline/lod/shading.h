// Normals and tangents for a simplified surface, in the manner of the surface that it came from.
#ifndef SINEW_OFFLINE_LOD_SHADING_H_
#define SINEW_OFFLINE_LOD_SHADING_H_

#include <vector>

#include "sinew/offline/lod/surface.h"

namespace sinew::lod {

// The angle between two triangles from which on their common edge is hard: the one that explains best which edges of
// the character are hard (the file's normals there differ from one side to the other by more than a degree) and which
// are not. Above pi if none is hard. surface: of that character. Radians.
double CreaseAngle(const Character& character, const Surface& surface);

// Corners are smoothed together around a point where no edge harder than the crease angle parts them.
struct Shading {
  std::vector<Eigen::Vector3i> groups;   // of the triangles' corners
  std::vector<Eigen::Vector3d> normals;  // one per group: unit, angle-weighted; model space
};
Shading ShadeSurface(const Surface& surface, double crease_angle);

// Unit tangents along the first direction of the texture, orthogonal to the normals, w the handedness. uv: one row a
// vertex. Where a texture has no direction, any orthogonal one.
Eigen::Matrix<float, Eigen::Dynamic, 4, Eigen::RowMajor> TextureTangents(const TriMesh& mesh, const Points& normals,
                                                                         const Eigen::MatrixX2d& uv);

}  // namespace sinew::lod

#endif  // SINEW_OFFLINE_LOD_SHADING_H_
