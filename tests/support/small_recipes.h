// Small recipes for tests.
#ifndef SINEW_TESTS_SUPPORT_SMALL_RECIPES_H_
#define SINEW_TESTS_SUPPORT_SMALL_RECIPES_H_

#include <filesystem>
#include <string>

#include "sinew/offline/io/character_file.h"
#include "tests/support/limb_figure.h"

namespace sinew::corpus {

// Embedded bodies, for plans.
inline std::string BipedRecipe(int count, const std::string& more = "") {
  return "[corpus]\nname = \"small\"\nseed = 5\n[[bodies]]\nname = \"bipeds\"\nembedded = \"biped\"\nvertices = 1000\n"
         "count = " +
         std::to_string(count) + "\n" + more;
}

// Bodies of WriteSmallBodies(), ground truth by formula: a fraction of a second.
inline std::string SmallRecipe(int count, const std::string& more = "") {
  return "[corpus]\nname = \"small\"\nseed = 5\n[[bodies]]\nname = \"figures\"\nfiles = \"files\"\nfamily = "
         "\"figure\"\n"
         "count = " +
         std::to_string(count) +
         "\n[poses]\nwide = 3\nhuman = 2\nrare = 1\nclear = false\n[truth]\nkind = \"procedural\"\n" + more;
}

// Writes figures with the biped's joints, all of another build, to FOLDER/files.
inline void WriteSmallBodies(const std::filesystem::path& folder, int count) {
  std::filesystem::create_directories(folder / "files");
  for (int i = 0; i < count; ++i) {
    const testing::LimbFigure figure = testing::MakeLimbFigure({.arm_down = 0.1 * i, .height = 1.5 + 0.05 * i});
    Character character = figure.character;
    // Another build: the height alone is a change of unit.
    character.skeleton.joints.back().rest.translation.x += 0.01f * static_cast<float>(i);
    WriteCharacter(character, folder / "files" / ("figure_" + std::to_string(i) + ".glb"));
  }
}

}  // namespace sinew::corpus

#endif  // SINEW_TESTS_SUPPORT_SMALL_RECIPES_H_
