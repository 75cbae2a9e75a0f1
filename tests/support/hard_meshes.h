// Meshes and characters of a kind that no artist makes and every converter does: what is cheap on a body may take
// memory and time out of proportion here. Tests ask for small ones, and for work that grows in proportion.
#ifndef SINEW_TESTS_SUPPORT_HARD_MESHES_H_
#define SINEW_TESTS_SUPPORT_HARD_MESHES_H_

#include <cstdint>

#include "sinew/offline/character/character.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew::testing {

// A closed cone of height 1 and radius 0.5 around y, with `count` slivers from its tip to the rim and as many from the
// rim to the middle of its base.
TriMesh ConeOfSlivers(int count);

// `count` triangles around one edge, which all of them share.
TriMesh FanAroundEdge(int count);

// Triangles as large as the unit cube that they all lie in: the box of each overlaps nearly every other's.
TriMesh CrossingTriangles(int count, uint64_t seed = 1);

// One triangle `count` times, each with vertices of its own at the same three places.
TriMesh CopiesOfOneTriangle(int count);

// A closed tube of height 1 around y, skinned to joints along its axis with weights that change linearly from each to
// the next. Every joint hangs from the one below it.
Character ChainOfJoints(int joints, int around = 6, int rings = 100);

// The same, but all joints hang from the first.
Character StarOfJoints(int joints, int around = 6, int rings = 100);

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_HARD_MESHES_H_
