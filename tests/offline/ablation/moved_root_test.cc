#include "sinew/offline/ablation/moved_root.h"

#include <gtest/gtest.h>

#include "sinew/offline/survey/survey_methods.h"
#include "sinew/offline/survey/survey_tables.h"
#include "tests/support/survey_bodies.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_character.h"

namespace sinew::ablation {
namespace {

using sinew::testing::EggOn;

TEST(MovedRoot, MovesEveryJoint) {
  const Skeleton skeleton = sinew::testing::TestCharacter().skeleton;
  const Eigen::Affine3f motion = MovedRoot(1.7f);
  EXPECT_NEAR((motion * Eigen::Vector3f(1, 2, 3) - Eigen::Vector3f(2.7f, -0.3f, -3)).norm(), 0, 1e-6);
  const Pose pose = skeleton.RestPose();
  const std::vector<Eigen::Affine3f> before = LocalToModel(skeleton, pose);
  const std::vector<Eigen::Affine3f> after = LocalToModel(skeleton, MoveRoots(skeleton, motion, pose));
  for (size_t s = 0; s < before.size(); ++s) {
    EXPECT_LT(((motion * before[s]).matrix() - after[s].matrix()).cwiseAbs().maxCoeff(), 1e-5f) << s;
  }
}

// Skinning does not see where a body stands.
TEST(MovedRoot, SkinningHasTheSameErrors) {
  const sinew::testing::TemporaryFolder folder;
  sinew::testing::WriteBumpedDataset(folder / "a.dataset", EggOn({.columns = 16, .rows = 10}), 1);
  const survey::BodyMethod method = survey::DualQuaternionMethod();
  const survey::Survey survey = survey::MeasureBodies({survey::ParseBody((folder / "a.dataset").string())},
                                                      {method, MovedMethod("moved", method)});
  const survey::Row all = survey::AllBodies(survey);
  EXPECT_GT(all.methods[1].mean, 0);
  EXPECT_NEAR(all.methods[2].mean, all.methods[1].mean, 1e-3);
  EXPECT_NEAR(all.methods[2].max, all.methods[1].max, 1e-2);
}

}  // namespace
}  // namespace sinew::ablation
