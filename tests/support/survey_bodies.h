// Bodies of one surface on different meshes, and datasets of them whose truth is known at every place.
#ifndef SINEW_TESTS_SUPPORT_SURVEY_BODIES_H_
#define SINEW_TESTS_SUPPORT_SURVEY_BODIES_H_

#include <cstdint>
#include <filesystem>
#include <set>
#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/dataset/dataset.h"
#include "tests/support/rigs.h"

namespace sinew::testing {

// The surface of TestCharacter(). crowded: 0 to below 1, how much the points crowd at the top.
struct EggMesh {
  int columns = 32, rows = 16;
  double crowded = 0;
};
Character EggOn(const EggMesh& mesh, const RigOptions& options = {});

// The egg by linear blend skinning, and moved from there by a few centimetres that depend on the place at rest alone.
Points BumpedShape(const Character& character, const Pose& pose);

// A dataset of a character with BumpedShape() as truth, in metres; three times frames_each frames (TestSequence()).
// failed: frames without a truth.
void WriteBumpedDataset(const std::filesystem::path& path, const Character& character, int frames_each,
                        uint64_t seed = 1, const std::set<int>& failed = {});

// Writes shapes as an array of frames x vertices x 3.
void WriteShapes(const std::filesystem::path& path, const std::vector<Points>& shapes);

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_SURVEY_BODIES_H_
