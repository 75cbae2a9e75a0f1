// Any mesh as a character, for properties of whatever works on characters.
#ifndef SINEW_TESTS_SUPPORT_SKINNED_MESH_H_
#define SINEW_TESTS_SUPPORT_SKINNED_MESH_H_

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew::testing {

// A chain of three joints along the mesh's longest extent; weights change linearly from each to the next.
Character SkinnedMesh(const std::vector<TriMesh>& parts);

Character SkinnedMesh(const TriMesh& mesh);

// Texture coordinates (x, y) of the positions, plus 10 on those triangles whose middle satisfies `beyond`: vertices on
// the seam between the two are split.
Character WithTextureSeam(const TriMesh& mesh, const std::function<bool(const Eigen::RowVector3f&)>& beyond);

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_SKINNED_MESH_H_
