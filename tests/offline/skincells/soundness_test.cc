// Weights of whole characters, embedded and real, at every cap on influences. How good they are is measured by
// scripts/bench weights.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/core/log.h"
#include "sinew/offline/embedded/kinds.h"
#include "sinew/offline/embedded/make_character.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/skincells/skin_character.h"
#include "tests/support/shared_assets.h"
#include "tests/support/sound_weights.h"

namespace sinew::skincells {
namespace {

void ExpectSoundAtEveryCap(const Character& character, const std::string& name) {
  const CollectWarnings quiet;
  for (const int l : {1, 2, 3, 4, 8}) {
    SCOPED_TRACE(fmt::format("{}, {} influences", name, l));
    Character skinned = character;
    SkinOptions options;
    options.max_influences = l;
    options.steps = 2;
    options.pose_count = 32;
    options.progress = false;
    const SkinReport report = SkinCharacter(skinned, name, options);
    testing::ExpectSoundWeights(skinned, l);
    // As many as are allowed do occur, and no vertex has none.
    EXPECT_GT(report.influences[std::min(l, report.joints)], 0);
    EXPECT_EQ(report.influences[0], 0);
  }
}

TEST(Soundness, EmbeddedCharactersAtEveryCap) {
  for (const embedded::Kind& kind : embedded::Kinds()) {
    ExpectSoundAtEveryCap(embedded::MakeCharacter(kind, embedded::Shape(kind.parameters), 1000), kind.name);
  }
}

TEST(Soundness, RealCharactersAtEveryCap) {
  SINEW_REQUIRE_ASSETS();
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(testing::AssetsFolder())) {
    if (LowerExtension(entry.path()) == ".glb") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  EXPECT_FALSE(files.empty());
  for (const std::filesystem::path& file : files) {
    ExpectSoundAtEveryCap(ReadCharacter(file, {.skin = "", .quiet = true}), file.filename().string());
  }
}

}  // namespace
}  // namespace sinew::skincells
