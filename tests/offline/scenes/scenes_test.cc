#include <gtest/gtest.h>

#include "sinew/offline/core/error.h"
#include "sinew/offline/scenes/draw_scene.h"
#include "sinew/offline/scenes/run_scene.h"
#include "tests/support/soft_objects.h"

namespace sinew::scenes {
namespace {

using sinew::testing::SmallSoftObject;

class Scenes : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Embedded, Scenes, ::testing::Values("worm", "jelly", "ring"));

TEST_P(Scenes, RunTouchAndAreDrawn) {
  const Scene scene = MakeEmbeddedScene(GetParam());
  const LoadedObject& object = SmallSoftObject(GetParam());
  const SceneRun run = RunScene(scene, object, 6);
  ASSERT_EQ(run.steps.size(), 180u);
  ASSERT_EQ(run.frames.size(), 6u);
  EXPECT_EQ(run.frames.back().seconds, run.steps.back().seconds);
  EXPECT_EQ(run.flags & ~dynamics::kNotConverged, 0u);
  EXPECT_LE(run.not_converged, 12);
  EXPECT_GT(run.steps.back().touching, 0);
  const std::string picture = DrawScene(scene, object, run);
  EXPECT_TRUE(picture.starts_with("<svg"));
  EXPECT_EQ(picture.find("nan"), std::string::npos);
  EXPECT_EQ(RunScene(scene, object, 1).state_hash, run.state_hash);
}

TEST(Scenes, RefuseHandlesThatDoNotExist) {
  Scene scene = MakeEmbeddedScene("worm");
  scene.handles = {{.handle = 3, .stiffness = 1}};
  EXPECT_THROW(RunScene(scene, SmallSoftObject("worm"), 1), UsageError);
  EXPECT_THROW(MakeEmbeddedScene("snake"), UsageError);
}

// A frame turned by a spring turns the part of the body that it carries.
TEST(Scenes, DrivenHandlesFollowTheirKeys) {
  Scene scene;
  scene.gravity = {0, 0};
  scene.seconds = 2;
  scene.handles = {{.handle = 1, .stiffness = 1e6, .keys = {{.seconds = 0}, {.seconds = 1, .angle = 1.2}}}};
  const LoadedObject& object = SmallSoftObject("worm");
  const SceneRun run = RunScene(scene, object, 2);
  // Nodes at the right end, at (0.5, 0) at rest.
  Eigen::Index end = 0;
  for (int n = 0; n < object.table.node_count(); ++n) {
    if (object.table.rest()[2 * n] > object.table.rest()[2 * end]) end = n;
  }
  const float *x = &run.frames.back().positions[2 * static_cast<size_t>(end)], *y = x + 1;
  EXPECT_NEAR(std::atan2(*y, *x), 1.2, 0.3);
}

}  // namespace
}  // namespace sinew::scenes
