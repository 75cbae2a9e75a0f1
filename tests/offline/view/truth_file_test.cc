#include "sinew/offline/view/truth_file.h"

#include <gtest/gtest.h>

#include <cstring>

#include "sinew/offline/core/error.h"
#include "tests/support/truths.h"

namespace sinew::view {
namespace {

using testing::MakeSmallTruth;
using testing::SmallTruth;

TEST(TruthFile, ComesBackAsItWasWithinAStepOfItsBox) {
  for (const uint64_t seed : {1, 2, 3}) {
    const SmallTruth made = MakeSmallTruth(seed);
    const Bytes file = made.File();
    const TruthFile read = ParseTruth(file, "a.truth");
    EXPECT_EQ(read.head.joints, made.head.joints);
    EXPECT_EQ(read.head.vertices, made.head.vertices);
    EXPECT_EQ(read.head.frames, made.head.frames);
    ASSERT_EQ(read.head.clips.size(), 2u);
    EXPECT_TRUE(read.head.clips[0].motion);
    EXPECT_EQ(read.head.clips[0].rate, 30);
    EXPECT_FALSE(read.head.clips[1].motion);
    EXPECT_EQ(read.head.clips[1].rate, 0);
    for (size_t f = 0; f < made.frames.size(); ++f) {
      const TruthFrame frame = ReadTruthFrame(read, static_cast<int>(f));
      EXPECT_EQ(0, std::memcmp(frame.pose.data(), made.frames[f].pose.data(), frame.pose.size() * sizeof(Transform)));
      for (size_t i = 0; i < frame.levels.size(); ++i) {
        const Points& truth = made.frames[f].levels[i];
        const Eigen::RowVector3f extent = truth.colwise().maxCoeff() - truth.colwise().minCoeff();
        for (int c = 0; c < 3; ++c) {
          // Half a step, and what floats this far from the origin round by themselves.
          const float rounding = 4e-7f * truth.col(c).cwiseAbs().maxCoeff();
          EXPECT_LE((frame.levels[i].col(c) - truth.col(c)).cwiseAbs().maxCoeff(), extent[c] / 131070 + rounding);
        }
      }
    }
  }
}

// The page fetches frames one by one and reads them through arrays of numbers, which must start at multiples of 4.
TEST(TruthFile, HasItsFramesWhereItsPageSays) {
  const SmallTruth made = MakeSmallTruth();
  const Bytes file = made.File();
  uint32_t counts[4];
  std::memcpy(counts, file.data() + 8, sizeof(counts));
  const auto [version, head, frames, record] = counts;
  EXPECT_EQ(version, 1u);
  EXPECT_EQ(head % 4, 0u);
  EXPECT_EQ(record % 4, 0u);
  EXPECT_EQ(record, 3 * 40 + (24 + 20) + (24 + 48));  // joints, 3 vertices padded, 8 vertices
  EXPECT_EQ(file.size(), 24 + head + static_cast<size_t>(frames) * record);
  float first = 0;
  std::memcpy(&first, file.data() + 24 + head + record, sizeof(first));
  EXPECT_EQ(first, made.frames[1].pose[0].translation.x);
}

TEST(TruthFile, EveryTruncationIsACleanError) {
  Bytes file = MakeSmallTruth().File();
  for (size_t size = 0; size < file.size(); ++size) {
    EXPECT_THROW(ParseTruth(std::span(file).first(size), "a.truth"), InputError) << size;
  }
  file.push_back({});
  EXPECT_THROW(ParseTruth(file, "a.truth"), InputError);
}

TEST(TruthFile, RefusesWhatContradictsItself) {
  const auto refused = [](const auto& spoil) {
    SmallTruth truth = MakeSmallTruth();
    spoil(truth);
    EXPECT_THROW(ParseTruth(truth.File(), "a.truth"), InputError);
  };
  refused([](SmallTruth& truth) { truth.head.frames[0].clip = 2; });
  refused([](SmallTruth& truth) { truth.head.frames[0].number = -1; });
  refused([](SmallTruth& truth) { truth.head.frames.pop_back(); });
  refused([](SmallTruth& truth) { truth.head.vertices[1] = 9; });
  refused([](SmallTruth& truth) { truth.head.vertices.clear(); });
  refused([](SmallTruth& truth) { truth.head.joints.clear(); });
  refused([](SmallTruth& truth) { truth.frames[2].pose[1].rotation = {0, 0, 0, 0}; });
  refused([](SmallTruth& truth) { truth.frames[2].pose[1].translation.y = std::numeric_limits<float>::infinity(); });
}

}  // namespace
}  // namespace sinew::view
