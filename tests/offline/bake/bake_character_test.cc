#include "sinew/offline/bake/bake_character.h"

#include <gtest/gtest.h>

#include "sinew/offline/core/error.h"
#include "sinew/offline/deformer/deformer_file.h"
#include "sinew/offline/deformer/drop_modes.h"
#include "tests/offline/bake/baking.h"

namespace sinew::bake {
namespace {

const testing::SmallCharacter& Small() {
  static const testing::SmallCharacter small = testing::MakeSmallCharacter();
  return small;
}

BakedCharacter Within(size_t bytes) {
  return BakeCharacter(Small().hierarchy, Small().deformer, {.max_bytes = bytes, .poses = 6}, "small.deformer");
}

double Cost(const BakedCharacter& made) {
  double cost = 0;
  for (const PrecisionError& level : made.cost) cost += level.rms;
  return cost;
}

TEST(BakeCharacter, StaysWithinABudgetAndLosesNoMoreThanItMust) {
  const size_t whole = Within(1'000'000'000).baked.file.bytes().size();
  EXPECT_EQ(Within(whole).dropped, 0);
  EXPECT_EQ(Within(whole).precision, runtime::Precision::kF32);
  const size_t bare =
      BuildBundle(Small().hierarchy, deformer::KeepBestModes(Small().deformer, 0), {}).file.bytes().size();
  double before = 0;
  for (const double share : {0.8, 0.5, 0.2, 0.05}) {
    const size_t budget = bare + static_cast<size_t>(share * static_cast<double>(whole - bare)) + 4096;
    const BakedCharacter made = Within(budget);
    EXPECT_LE(made.baked.file.bytes().size(), budget);
    EXPECT_GE(Cost(made), before) << share;
    before = Cost(made);
  }
  EXPECT_GT(before, 0);
  EXPECT_THROW(Within(1000), FailedError);
}

TEST(KeepBestModes, KeepsThoseThatDoMost) {
  const deformer::Deformer& whole = Small().deformer;
  EXPECT_TRUE(deformer::FormatDeformer(deformer::KeepBestModes(whole, 1)) == deformer::FormatDeformer(whole));
  EXPECT_EQ(deformer::CountModes(deformer::KeepBestModes(whole, 0)), 0);
  // A mode that is made to do nothing is the first to go.
  deformer::Deformer lazy = whole;
  deformer::RegionCorrective& region = lazy.levels[0].regions[0];
  region.spread[0] = 0;
  const int all = deformer::CountModes(lazy);
  const deformer::Deformer without = deformer::KeepBestModes(lazy, (all - 1.0) / all);
  EXPECT_EQ(deformer::CountModes(without), all - 1);
  EXPECT_EQ(without.levels[0].regions[0].V, region.V.rightCols(region.V.cols() - 1));
  EXPECT_EQ(without.levels[0].regions[0].own, region.own);
  EXPECT_EQ(without.levels[0].regions[0].network.W3, region.network.W3.bottomRows(region.network.outputs() - 1));
}

}  // namespace
}  // namespace sinew::bake
