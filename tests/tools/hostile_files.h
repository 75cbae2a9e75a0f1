// Families of files that nobody means to write and somebody sends: extreme numbers, broken trees, degenerate meshes,
// false claims, damage. Each file is small; what it makes a careless reader do is not.
#ifndef SINEW_TESTS_TOOLS_HOSTILE_FILES_H_
#define SINEW_TESTS_TOOLS_HOSTILE_FILES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/offline/core/file.h"
#include "tests/support/gltf_builder.h"

namespace sinew::testing {

struct HostileFile {
  std::string what;  // what is wrong with it, for the message of a test that fails
  Bytes bytes;
};
using Family = std::vector<HostileFile>;

// A closed tube of 58 vertices on two joints, "thigh" and "shin", with an animation "walk": small, and of use to every
// command. Which accessor holds what is in the fields.
struct Limb {
  GltfBuilder builder;
  int positions = 0, normals = 0, texture_positions = 0, joints = 0, weights = 0, binds = 0, times = 0, turns = 0,
      moves = 0;
};
Limb MakeLimb();

// Characters (.glb).
Family ExtremeNumbers();  // 0, denormals, 1e38, NaN and infinity in every accessor
Family OddScales();       // zero, mirrored, uneven, tiny and huge scales at every level of the tree
Family OddTimes();        // keys that repeat, go back, last for years
Family OddTrees();        // cycles, two parents, chains and fans of thousands of nodes
Family OddSkins();        // none, one joint, two roots, joints without weights
Family OddMeshes();       // empty, fans, books, copies of one triangle, slivers
Family OddNames();        // terminal escapes, line ends, endless and repeated names
Family FalseClaims();     // counts, offsets and sizes that promise what is not there
Family WrongTypes();      // every value of the document replaced by one of another type
Family OddPictures();     // textures that claim to be huge, or are no pictures

// A valid file cut off at so many places, evenly spread, the first of them empty; and with some bytes replaced, by
// seed.
Family CutOff(const Bytes& valid, int places);
Family Flipped(const Bytes& valid, int files, uint64_t seed);

Bytes ToBytes(std::string_view text);

}  // namespace sinew::testing

#endif  // SINEW_TESTS_TOOLS_HOSTILE_FILES_H_
