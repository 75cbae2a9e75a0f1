#include "sinew/offline/deformer/deformer_file.h"

#include <gtest/gtest.h>

#include "sinew/offline/core/error.h"
#include "tests/offline/multires/trained_tube.h"
#include "tests/support/small_deformer.h"
#include "tests/support/temporary_folder.h"

namespace sinew::deformer {
namespace {

using testing::SmallDeformer;

TEST(DeformerFile, ComesBackAsItWas) {
  const Bytes bytes = FormatDeformer(SmallDeformer());
  EXPECT_TRUE(FormatDeformer(ParseDeformer(bytes, "deformer.bin")) == bytes);
  const testing::TemporaryFolder folder;
  const lod::Hierarchy hierarchy = testing::TubeHierarchy();
  multires::TrainOptions options;
  options.fit.steps = 20;
  const Deformer deformer = multires::Train(hierarchy, testing::TubeFrames(hierarchy, 20, 1), options).deformer;
  WriteDeformer(folder.path() / "tube.deformer", hierarchy, deformer, Json::object());
  const TrainedCharacter read = ReadDeformer(folder.path() / "tube.deformer");
  EXPECT_TRUE(FormatDeformer(read.deformer) == FormatDeformer(deformer));
  EXPECT_EQ(read.hierarchy.level_count(), 3);
}

TEST(DeformerFile, EveryTruncationAndEveryChangedByteIsAnError) {
  const Bytes bytes = FormatDeformer(SmallDeformer());
  for (size_t n = 0; n < bytes.size(); ++n) {
    EXPECT_THROW(ParseDeformer(std::span(bytes).first(n), "deformer.bin"), InputError) << n;
    Bytes changed = bytes;
    changed[n] ^= std::byte{0x20};
    EXPECT_THROW(ParseDeformer(changed, "deformer.bin"), InputError) << n;
  }
}

TEST(DeformerFile, SaysWhatIsWrong) {
  const auto message = [](const Deformer& deformer) -> std::string {
    try {
      ParseDeformer(FormatDeformer(deformer), "deformer.bin");
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message(SmallDeformer()), "no error");
  Deformer bad = SmallDeformer();
  bad.levels[0].regions[0].points = {3, 2};
  EXPECT_EQ(message(bad), "deformer.bin: level 1, corrective 0, points: are not in rising order; train it again");
  bad = SmallDeformer();
  bad.levels[0].regions[0].network.W2(1, 0) = NAN;
  EXPECT_EQ(message(bad), "deformer.bin: level 1, corrective 0, W2, entry 1: is not a finite number; train it again");
  bad = SmallDeformer();
  bad.ranges[0].outer = bad.ranges[0].inner;
  EXPECT_EQ(message(bad),
            "deformer.bin: range test 0: has an outer distance that is not beyond the inner; train it again");
  bad = SmallDeformer();
  bad.height = -1;
  EXPECT_EQ(message(bad), "deformer.bin: height: is not a positive number; train it again");
}

TEST(DeformerFile, RefusesADeformerOfAnotherHierarchy) {
  const lod::Hierarchy hierarchy = testing::TubeHierarchy();
  EXPECT_THROW(CheckFits(SmallDeformer(), hierarchy, "deformer.bin"), InputError);
  Deformer deformer = SmallDeformer();
  deformer.levels.resize(3);
  EXPECT_NO_THROW(CheckFits(deformer, hierarchy, "deformer.bin"));
  deformer.levels[0].regions[0].joints = {3};
  EXPECT_THROW(CheckFits(deformer, hierarchy, "deformer.bin"), InputError);
}

TEST(DeformerFile, AFolderWithoutOneIsNamed) {
  const testing::TemporaryFolder folder;
  try {
    ReadDeformer(folder.path());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("deformer.bin"), std::string::npos);
  }
}

}  // namespace
}  // namespace sinew::deformer
