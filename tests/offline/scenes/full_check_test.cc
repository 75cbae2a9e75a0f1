#include "sinew/offline/scenes/full_check.h"

#include <gtest/gtest.h>

#include "sinew/offline/scenes/draw_scene.h"
#include "tests/support/error_of.h"
#include "tests/support/small_dents.h"
#include "tests/support/soft_objects.h"

namespace sinew::scenes {
namespace {

using sinew::testing::SmallDent;
using sinew::testing::SmallSoftObject;

TEST(FieldScenes, PlayWithLearnedContact) {
  const contact::LoadedDent dent = SmallDent(1);
  Scene scene = MakeEmbeddedScene("worm");
  scene.seconds = 2;
  const LoadedObject& object = SmallSoftObject("worm");
  const SceneRun run = RunScene(scene, object, 4, &dent.table), linear = RunScene(scene, object, 4);
  EXPECT_EQ(run.flags & ~dynamics::kNotConverged, 0u);
  EXPECT_NE(run.state_hash, linear.state_hash);
  EXPECT_EQ(RunScene(scene, object, 1, &dent.table).state_hash, run.state_hash);
  // Until the cube comes, nothing differs.
  EXPECT_EQ(run.frames[1].positions, linear.frames[1].positions);
  const std::string picture = DrawScene(scene, object, run, &linear);
  EXPECT_NE(picture.find("dasharray"), std::string::npos);
  EXPECT_EQ(picture.find("nan"), std::string::npos);
}

TEST(FieldScenes, RefuseFieldsOfOthers) {
  const contact::LoadedDent dent = SmallDent(1);
  const auto sentence = [&](const char* name) {
    return testing::ErrorOf([&] { RunScene(MakeEmbeddedScene(name), SmallSoftObject(name), 1, &dent.table); });
  };
  EXPECT_NE(sentence("jelly").find("other handles"), std::string::npos);
  const Scene fall = MakeFall("worm", -0.1, 1);
  EXPECT_NE(testing::ErrorOf([&] { RunScene(fall, SmallSoftObject("worm"), 1, &dent.table); }).find("no collider"),
            std::string::npos);
}

// With a field of zeros, dynamics is the linear subspace, whose relative error is 1; the full solution is out of the
// collider.
TEST(FullCheck, FieldOfZerosIsTheLinearSubspace) {
  const contact::PlaneObject& worm = sinew::testing::DentedWorm();
  contact::ContactField field = sinew::testing::SmallField(1);
  field.set_parameters(std::vector<float>(field.parameters().size(), 0));
  const contact::LoadedDent dent = contact::OpenDent(contact::MakeDent(worm, field, {}), "zeros.dent");
  const FullCheck check = CompareWithFull(worm, SmallSoftObject("worm"), dent.table, 2, 1);
  ASSERT_EQ(check.contacts.size() + static_cast<size_t>(check.failed), 2u);
  ASSERT_FALSE(check.contacts.empty());
  EXPECT_NEAR(check.RelativeError(), 1, 1e-6);
  for (const FullContact& contact : check.contacts) {
    EXPECT_GT(contact.linear_error, 0);
    EXPECT_LT(contact.full_deepest, 0.2 * contact.depth);
  }
  EXPECT_THROW(CompareWithFull(contact::MakeWorm({.triangles = 400}), SmallSoftObject("worm"), dent.table, 1, 1),
               UsageError);
}

}  // namespace
}  // namespace sinew::scenes
