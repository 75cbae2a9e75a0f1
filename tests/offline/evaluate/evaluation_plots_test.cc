#include "sinew/offline/evaluate/evaluation_plots.h"

#include <gtest/gtest.h>

#include "sinew/offline/bake/bundle_builder.h"
#include "tests/support/synthetic_deformer.h"
#include "tests/support/test_character.h"

namespace sinew::evaluate {
namespace {

class EvaluationPlots : public ::testing::Test {
 protected:
  EvaluationPlots() {
    deformer::Deformer deformer = testing::SyntheticDeformer(hierarchy_);
    ours_ = bake::BuildBundle(hierarchy_, deformer, {});
    deformer.incremental = false;
    single_ = bake::BuildBundle(hierarchy_, deformer, {});
  }

  lod::Hierarchy hierarchy_ =
      lod::BuildHierarchy(testing::TestCharacter(), "egg", {.points = {160, 60}, .regions = 12});
  bake::BakedBundle ours_, single_;
};

TEST_F(EvaluationPlots, CountWhatALevelStartsFrom) {
  const int levels = hierarchy_.level_count();
  const std::vector<measure::BundleMemory> memory = measure::MemoryOf(ours_.bundle);
  size_t started_from = 0;
  for (int i = 1; i <= levels; ++i) {
    const measure::BundleMemory& own = memory[i];
    const size_t skinned = BytesToShow(ours_.bundle, i, true);
    EXPECT_EQ(skinned, own.rest + own.skin);
    EXPECT_EQ(BytesToShow(ours_.bundle, i, false), skinned + own.networks + own.bases + own.upsampling + started_from);
    EXPECT_EQ(BytesToShow(single_.bundle, i, false), skinned + own.networks + own.bases);
    started_from += own.networks + own.bases - own.own_bases + own.upsampling;
  }
  EXPECT_GT(memory[1].own_bases, 0u);
}

TEST_F(EvaluationPlots, ShowEveryMethodOnEveryLevel) {
  const int levels = hierarchy_.level_count();
  Evaluation evaluation;
  evaluation.methods = {"linear blend", "delta mush", "dual quaternion", "single-level", "sinew"};
  evaluation.errors.assign(5, std::vector<LevelError>(levels));
  for (size_t m = 0; m < 5; ++m) {
    for (LevelError& error : evaluation.errors[m]) error.rms = 1.0 / static_cast<double>(m + 1);
  }
  const std::vector<Pose> poses = {hierarchy_.levels.back().character.skeleton.RestPose()};
  const measure::TimingOptions timing{.threads = {2}, .rounds = 1};
  const std::vector<PlottedBundle> bundles = {
      {"sinew", &ours_.bundle, measure::TimeBundle(ours_.bundle, poses, timing)},
      {"single-level", &single_.bundle, measure::TimeBundle(single_.bundle, poses, timing)}};
  for (const std::string& svg : {MemoryPlot(evaluation, bundles, 1), TimePlot(evaluation, bundles, 2, 1)}) {
    size_t dots = 0;
    for (size_t at = 0; (at = svg.find("<circle", at)) != std::string::npos; ++at) ++dots;
    EXPECT_EQ(dots, 4u * levels);
    for (const std::string& method : evaluation.methods) {
      EXPECT_EQ(svg.find(method) != std::string::npos, method != "delta mush") << "which no bundle has the cost of";
    }
  }
}

}  // namespace
}  // namespace sinew::evaluate
