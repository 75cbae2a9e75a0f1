#include "sinew/offline/survey/survey_methods.h"

#include <gtest/gtest.h>

#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/skincells/field_file.h"
#include "sinew/offline/skincells/skin_character.h"
#include "sinew/offline/survey/survey_tables.h"
#include "tests/support/survey_bodies.h"
#include "tests/support/temporary_folder.h"

namespace sinew::survey {
namespace {

class SurveyMethods : public ::testing::Test {
 protected:
  SurveyMethods() {
    testing::WriteBumpedDataset(folder_ / "egg.dataset", testing::EggOn({.columns = 16, .rows = 10}), 1);
    body_ = ParseBody((folder_ / "egg.dataset").string());
  }
  Points OnVertices(const LoadedBody& loaded, const evaluate::Method& method, int frame) const {
    return lod::OnVertices(loaded.hierarchy.levels[0], method.Shapes(loaded.dataset.pose(frame), frame).back());
  }

  testing::TemporaryFolder folder_;
  Body body_;
};

TEST_F(SurveyMethods, SkincellsIsSkinningWithTheWeightsOfAFieldThatIsKept) {
  const LoadedBody loaded(body_);
  const FieldOptions options{.folder = folder_ / "fields", .steps = 20, .seed = 3};
  const evaluate::Method fitted = SkincellsMethod(options).make(loaded);
  ASSERT_TRUE(std::filesystem::exists(folder_ / "fields/egg.field"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "fields/egg.field.checkpoint"));
  Character reweighted = loaded.character();
  skincells::ApplyField(skincells::ReadField(folder_ / "fields/egg.field"), "egg.field", reweighted, "egg.glb");
  const Points expected = SkinnedShape(reweighted, loaded.dataset.pose(1));
  EXPECT_LT((OnVertices(loaded, fitted, 1) - expected).cwiseAbs().maxCoeff(), 1e-5f);
  EXPECT_GT((OnVertices(loaded, fitted, 1) - SkinnedShape(loaded.character(), loaded.dataset.pose(1))).norm(), 1e-3f)
      << "the file's weights are others";
  // The kept field is used: with other steps nothing changes.
  const evaluate::Method again = SkincellsMethod({.folder = folder_ / "fields", .steps = 1}).make(loaded);
  EXPECT_LT((OnVertices(loaded, again, 1) - expected).cwiseAbs().maxCoeff(), 1e-5f);
}

TEST_F(SurveyMethods, VoxelWeightsSkinTheSameRestShapeInAnotherWay) {
  const LoadedBody loaded(body_);
  const evaluate::Method method = VoxelWeightsMethod().make(loaded);
  const auto moved = [&](const Pose& pose) {
    const Points shape = lod::OnVertices(loaded.hierarchy.levels[0], method.shapes(pose).back());
    return (shape - SkinnedShape(loaded.character(), pose)).norm();
  };
  EXPECT_LT(moved(loaded.character().skeleton.RestPose()), 1e-4f);
  EXPECT_GT(moved(loaded.dataset.pose(1)), 1e-2f);
}

TEST_F(SurveyMethods, SharesStayThoseOfTheFilesOwnWeights) {
  const Survey alone = MeasureBodies({body_}, {});
  const Survey beside = MeasureBodies({body_}, {SkincellsMethod({.steps = 5})});
  EXPECT_EQ(AllBodies(alone).methods[0].rms, AllBodies(beside).methods[0].rms);
  EXPECT_DOUBLE_EQ(*AllBodies(beside).methods[1].share,
                   AllBodies(beside).methods[1].rms / AllBodies(beside).methods[0].rms);
}

TEST_F(SurveyMethods, RecordedShapesComeFromAFileOrAFolder) {
  const LoadedBody loaded(body_);
  std::vector<Points> shapes;
  for (int i = 0; i < loaded.dataset.frame_count(); ++i) shapes.push_back(loaded.dataset.Shape(i));
  std::filesystem::create_directory(folder_ / "shapes");
  testing::WriteShapes(folder_ / "shapes/egg.npy", shapes);
  for (const char* path : {"shapes", "shapes/egg.npy"}) {
    const Survey survey = MeasureBodies({body_}, {RecordedShapes("mine", folder_ / path)});
    EXPECT_EQ(AllBodies(survey).methods[1].max, 0) << path;
  }
  Body other = body_;
  other.name = "../egg";
  EXPECT_THROW(MeasureBodies({other}, {RecordedShapes("mine", folder_ / "shapes")}), InputError)
      << "a name does not lead out of the folder";
}

}  // namespace
}  // namespace sinew::survey
