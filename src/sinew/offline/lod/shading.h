// Computes normals and tangents of a simplified surface, with hard edges in the manner of the surface that it came
// from.
#ifndef SINEW_OFFLINE_LOD_SHADING_H_
#define SINEW_OFFLINE_LOD_SHADING_H_

#include <vector>

#include "sinew/offline/lod/surface.h"

namespace sinew::lod {

// Returns the angle between two triangles, in radians, from which on their common edge is hard. It is the angle that
// explains best which edges of the character are hard (the file's normals there differ from one side to the other by
// more than a degree) and which are not; above pi if none is hard. surface: of that character.
double CreaseAngle(const Character& character, const Surface& surface);

// Smoothing groups and their normals. Corners around a point share a group where no edge folded by the crease angle or
// more parts them.
struct Shading {
  std::vector<Eigen::Vector3i> groups;   // one per corner of each triangle
  std::vector<Eigen::Vector3d> normals;  // one per group: unit, angle-weighted; model space
};
Shading ShadeSurface(const Surface& surface, double crease_angle);

// Returns unit tangents along the texture's u direction, orthogonal to the normals, with the handedness in w. uv: one
// row per vertex. Where the texture has no direction, the tangent is any orthogonal one.
Eigen::Matrix<float, Eigen::Dynamic, 4, Eigen::RowMajor> TextureTangents(const TriMesh& mesh, const Points& normals,
                                                                         const Eigen::MatrixX2d& uv);

}  // namespace sinew::lod

#endif  // SINEW_OFFLINE_LOD_SHADING_H_
