#include "sinew/offline/evaluate/recorded_method.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/evaluate/evaluate.h"
#include "tests/support/survey_bodies.h"
#include "tests/support/temporary_folder.h"

namespace sinew::evaluate {
namespace {

class RecordedShapes : public ::testing::Test {
 protected:
  RecordedShapes() {
    const Character egg = testing::EggOn({.columns = 24, .rows = 12});
    testing::WriteBumpedDataset(folder_ / "egg.dataset", egg, 3, 1, {2});
    hierarchy_ = lod::BuildHierarchy(egg, "egg.glb", {.points = {120}, .regions = 6});
    dataset_.emplace(folder_ / "egg.dataset");
    for (int i = 0; i < dataset_->frame_count(); ++i) truths_.push_back(dataset_->Shape(i));
  }

  Evaluation Judge(const std::vector<Points>& shapes) {
    testing::WriteShapes(folder_ / "shapes.npy", shapes);
    return EvaluateMethods(hierarchy_, dataset::FramesOf(*dataset_, hierarchy_),
                           {RecordedMethod("mine", folder_ / "shapes.npy", *dataset_, hierarchy_)});
  }
  std::string Refusal(const std::string& file) {
    try {
      const Method method = RecordedMethod("mine", folder_ / file, *dataset_, hierarchy_);
      for (int j = 0; j < static_cast<int>(dataset_->OkFrames().size()); ++j) method.recorded(j);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  testing::TemporaryFolder folder_;
  lod::Hierarchy hierarchy_;
  std::optional<dataset::Dataset> dataset_;
  std::vector<Points> truths_;  // of frame 2 not finite: it has none
};

TEST_F(RecordedShapes, OfTheTruthAreExactAtEveryLevelAndFailedFramesAreNotLookedAt) {
  ASSERT_FALSE(truths_[2].allFinite());
  const Evaluation evaluation = Judge(truths_);
  ASSERT_EQ(evaluation.methods, (std::vector<std::string>{"linear blend", "mine"}));
  for (int i = 0; i < evaluation.level_count(); ++i) {
    EXPECT_EQ(evaluation.errors[1][i].max, 0) << i;
    EXPECT_GT(evaluation.errors[0][i].rms, 0.01) << i;
  }
}

TEST_F(RecordedShapes, AreJudgedByTheirOwnFrame) {
  // Off by one millimetre more in every frame of the dataset.
  std::vector<Points> shapes = truths_;
  for (size_t i = 0; i < shapes.size(); ++i) shapes[i].col(1).array() += 1e-3f * static_cast<float>(i);
  const Evaluation evaluation = Judge(shapes);
  const std::vector<int> ok = dataset_->OkFrames();
  const std::vector<double>& rms = evaluation.errors[1].back().frame_rms;
  ASSERT_EQ(rms.size(), ok.size());
  for (size_t j = 0; j < ok.size(); ++j) EXPECT_NEAR(rms[j], 1e-3 * ok[j], 1e-6) << j;
}

TEST_F(RecordedShapes, ThatDoNotFitAreRefusedWithASentence) {
  std::vector<Points> fewer(truths_.begin(), truths_.end() - 1);
  testing::WriteShapes(folder_ / "fewer.npy", fewer);
  EXPECT_NE(Refusal("fewer.npy").find("has 8 frames where"), std::string::npos) << Refusal("fewer.npy");
  std::vector<Points> smaller = truths_;
  for (Points& shape : smaller) shape.conservativeResize(shape.rows() - 1, 3);
  testing::WriteShapes(folder_ / "smaller.npy", smaller);
  EXPECT_NE(Refusal("smaller.npy").find("vertices where the character has"), std::string::npos);
  std::vector<Points> broken = truths_;
  broken[4](7, 1) = std::numeric_limits<float>::infinity();
  testing::WriteShapes(folder_ / "broken.npy", broken);
  EXPECT_NE(Refusal("broken.npy").find("frame 4"), std::string::npos) << Refusal("broken.npy");
  WriteFileAtomic(folder_ / "shapes.txt", "1 2 3");
  EXPECT_NE(Refusal("shapes.txt").find(".npy"), std::string::npos);
  EXPECT_NE(Refusal("missing.npy"), "");
}

}  // namespace
}  // namespace sinew::evaluate
