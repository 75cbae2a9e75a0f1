// Training on a packed corpus, and on the corpus that it was packed from. What needs libtorch is skipped where
// libsinew_torch is not built.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "sinew/offline/core/error.h"
#include "sinew/offline/corpus/make_corpus.h"
#include "sinew/offline/corpus/pack_corpus.h"
#include "sinew/offline/graphnet/test_model.h"
#include "sinew/offline/graphnet/train.h"
#include "tests/support/error_of.h"
#include "tests/support/small_graph_model.h"
#include "tests/support/small_recipes.h"
#include "tests/support/temporary_folder.h"

namespace sinew::graphnet {
namespace {

using testing::ErrorOf;

namespace fs = std::filesystem;
using dataset::Side;
using ::testing::HasSubstr;

class PackTrainingTest : public ::testing::Test {
 protected:
  PackTrainingTest() {
    corpus::WriteSmallBodies(folder_.path(), 5);
    const fs::path file = folder_ / "recipe.toml";
    corpus::MakeCorpus(corpus::ParseRecipe(corpus::SmallRecipe(5, "[splits]\nvalidation = 0.2\ntest = 0.2\n"), file),
                       file.string(), corpus_);
    corpus::PackCorpus(corpus::Corpus(corpus_), pack_, {.points = 100000, .modes = {.max_loss = 0.01}});
  }

  static FrameSet Frames(const fs::path& path, Side side) { return FrameSet(OpenSources({path}, {.side = side})); }

  sinew::testing::TemporaryFolder folder_;
  fs::path corpus_ = folder_ / "c", pack_ = folder_ / "p";
};

TEST_F(PackTrainingTest, APackHasTheFramesOfItsCorpus) {
  for (const Side side : {Side::kTrain, Side::kValidation}) {
    const FrameSet whole = Frames(corpus_, side), packed = Frames(pack_, side);
    ASSERT_EQ(packed.count(), whole.count());
    for (int k = 0; k < whole.count(); ++k) {
      EXPECT_EQ(packed.HashOf(k), whole.HashOf(k));
      EXPECT_EQ(packed.NameOf(packed.entries()[k]), whole.NameOf(whole.entries()[k]));
    }
    const Body &a = whole.bodies()[0], &b = packed.bodies()[0];
    EXPECT_EQ(a.joints(), b.joints());
    EXPECT_EQ(a.points(), b.points());
    EXPECT_NEAR(a.size(), b.size(), 1e-4);
  }
  EXPECT_EQ(DescribePaths({pack_}), "a packed corpus");
  EXPECT_EQ(DescribePaths({corpus_, pack_, pack_}), "a corpus and 2 packed corpora");
}

TEST_F(PackTrainingTest, StatisticsOfAPackAreNearlyThoseOfItsCorpus) {
  const Scaling whole = FitScaling(Frames(corpus_, Side::kTrain)), packed = FitScaling(Frames(pack_, Side::kTrain));
  EXPECT_NEAR(packed.answer, whole.answer, 0.02 * whole.answer);
  for (size_t c = 0; c < whole.mean.size(); ++c) {
    EXPECT_NEAR(packed.mean[c], whole.mean[c], 1e-2) << c;
    EXPECT_NEAR(packed.deviation[c], whole.deviation[c], 1e-2) << c;
  }
}

TEST_F(PackTrainingTest, ReadsNoFramesToTestWithAndRefusesWhatWasSeen) {
  EXPECT_THAT(ErrorOf([&] { Frames(pack_, Side::kTest); }), HasSubstr("has no frames to test with"));
  const FrameSet packed = Frames(pack_, Side::kTrain);
  std::vector<std::string> hashes;
  for (int k = 0; k < packed.count(); ++k) hashes.push_back(packed.HashOf(k));
  const learn::Model model = sinew::testing::SmallGraphModel(packed.bodies()[0], hashes);
  const Predictor predictor(model, "x.model");
  EXPECT_THAT(ErrorOf([&] { TestModel(predictor, Frames(corpus_, Side::kTrain)); }),
              HasSubstr("frames were used in training"))
      << "what was trained on as a pack is known in the corpus";
  EXPECT_EQ(ErrorOf([&] { TestModel(predictor, Frames(corpus_, Side::kTest)); }), "no error");
  EXPECT_THAT(ErrorOf([&] { SplitForValidation(OpenSources({pack_}), 0.2, 1); }), HasSubstr("a pack cannot be split"));
}

TEST_F(PackTrainingTest, LossesAreNearlyThoseOfItsCorpus) {
  if (!fs::exists(fs::read_symlink("/proc/self/exe").parent_path() / "libsinew_torch.so")) {
    GTEST_SKIP() << "libsinew_torch.so is not built";
  }
  const auto train = [&](const fs::path& path) {
    return Train(Frames(path, Side::kTrain), Frames(path, Side::kValidation),
                 {.run = {.steps = 12, .batch = 3, .edges = 0.5, .threads = 1}}, nullptr, folder_ / "x.model.state",
                 false);
  };
  const Trained whole = train(corpus_), packed = train(pack_);
  ASSERT_EQ(packed.state.history.size(), whole.state.history.size());
  for (size_t k = 0; k < whole.state.history.size(); ++k) {
    EXPECT_NEAR(packed.state.history[k].training, whole.state.history[k].training,
                0.1 * whole.state.history[k].training);
  }
  EXPECT_NEAR(packed.state.best_loss, whole.state.best_loss, 0.1 * whole.state.best_loss);
}

}  // namespace
}  // namespace sinew::graphnet
