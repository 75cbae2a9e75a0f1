// Small characters to be skinned, made in a moment.
#ifndef SINEW_TESTS_SUPPORT_SKIN_SUBJECTS_H_
#define SINEW_TESTS_SUPPORT_SKIN_SUBJECTS_H_

#include "sinew/offline/character/character.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew::testing {

// Any mesh with a chain of joints through its box along y, all of it bound to the first joint.
Character OnAChain(const TriMesh& mesh, int joints);

// A closed sausage along y, 2 long and 0.5 thick.
TriMesh Sausage(int around = 14, int rings = 20);

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_SKIN_SUBJECTS_H_
