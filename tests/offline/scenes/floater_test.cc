#include <gtest/gtest.h>

#include <algorithm>

#include "sinew/offline/contact/dent_file.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/scenes/compare_starts.h"
#include "sinew/offline/scenes/embedded_scenes.h"
#include "sinew/offline/scenes/full_space.h"
#include "sinew/offline/scenes/learn_floater.h"
#include "tests/support/soft_objects.h"
#include "tests/support/temporary_folder.h"

namespace sinew::scenes {
namespace {

using Eigen::VectorXd;
using sinew::testing::SmallSoftObject;

LoadedObject MakeFloater() { return OpenObject(BuildObject(MakeEmbeddedObject("floater", 400), {}).file, "floater"); }

// Figure 9: all nodes pass, the linear subspace does not.
TEST(Floater, PassesByAllNodesAndNotInTheLinearSubspace) {
  for (const StartResult& start : CompareStarts(MakeEmbeddedScene("floater"), MakeFloater(), nullptr, 2, 1)) {
    EXPECT_GT(start.full, 0);
    EXPECT_LT(start.linear, 0);
    EXPECT_FALSE(start.field.has_value());
  }
  EXPECT_THROW(CompareStarts(MakeEmbeddedScene("worm"), SmallSoftObject("worm"), nullptr, 1, 1), UsageError);
}

TEST(Floater, LearnsAFieldThatItsSceneTakes) {
  const FloaterOptions options{.triangles = 800,
                               .states = 1,
                               .places = 20,
                               .rotations = 2,
                               .depths = 2,
                               .met = 8,
                               .starts = 1,
                               .width = 8,
                               .steps = 20};
  const LearnedFloater learned = LearnFloater(options);
  EXPECT_EQ(learned.samples + learned.failed, 80 + 8 * 4);
  EXPECT_GT(learned.met, 0);
  EXPECT_GT(learned.error, 0);
  Block copy(learned.field.bytes().size());
  std::copy(learned.field.bytes().begin(), learned.field.bytes().end(), copy.bytes().begin());
  const contact::LoadedDent field = contact::OpenDent(std::move(copy), "floater.dent");
  Scene scene = MakeEmbeddedScene("floater");
  scene.seconds = 0.4;
  const SceneRun run = RunScene(scene, MakeFloater(), 2, &field.table);
  EXPECT_EQ(run.flags & ~dynamics::kNotConverged, 0u);
  EXPECT_NE(run.state_hash, RunScene(scene, MakeFloater(), 2).state_hash);
  EXPECT_THROW(LearnFloater({.places = 0}), UsageError);
}

bool SameBytes(const Block& a, const Block& b) { return std::ranges::equal(a.bytes(), b.bytes()); }

TEST(Floater, GoesOnWithWhatAStoppedRunKept) {
  const sinew::testing::TemporaryFolder folder;
  FloaterOptions options{.triangles = 800,
                         .states = 1,
                         .places = 5,
                         .rotations = 1,
                         .depths = 2,
                         .met = 3,
                         .starts = 1,
                         .width = 4,
                         .steps = 8};
  const Block field = LearnFloater(options).field;
  options.folder = folder / "learning";
  EXPECT_TRUE(SameBytes(LearnFloater(options).field, field));
  const auto remove_those = [&](const std::string& begin) {
    int removed = 0;
    for (const auto& file : std::filesystem::directory_iterator(options.folder)) {
      if (file.path().filename().string().starts_with(begin)) removed += std::filesystem::remove(file.path()) ? 1 : 0;
    }
    return removed;
  };
  for (const char* file : {"planned_00002", "met_00001", "energies_"}) EXPECT_EQ(remove_those(file), 1) << file;
  EXPECT_TRUE(SameBytes(LearnFloater(options).field, field));
  // Trainings with other options do not go on with one another's state.
  FloaterOptions wider = options;
  wider.width = 6;
  const Block wide = LearnFloater(wider).field;
  wider.folder.clear();
  EXPECT_TRUE(SameBytes(LearnFloater(wider).field, wide));

  // Contacts of other options are refused before any is made.
  EXPECT_EQ(remove_those("planned_00004"), 1);
  options.rotations = 2;
  EXPECT_THROW(LearnFloater(options), InputError);
  EXPECT_FALSE(std::filesystem::exists(options.folder / "planned_00004.contacts"));
}

// A body that only falls moves as a whole, by the steps of backward Euler.
TEST(FullSpace, FallsFreely) {
  const LoadedObject object = MakeFloater();
  FullSpace full(object.table);
  const VectorXd rest = Eigen::Map<const VectorXd>(full.state().data(), static_cast<Eigen::Index>(full.state().size()));
  const dynamics::StepInput input{.seconds = 0.01};
  for (int i = 0; i < 5; ++i) full.Step(input);
  for (Eigen::Index n = 0; n < rest.size(); n += 2) {
    EXPECT_NEAR(full.state()[n], rest[n], 1e-7);
    EXPECT_NEAR(full.state()[n + 1], rest[n + 1] - 15 * 9.81 * 1e-4, 1e-7);
  }
  EXPECT_NEAR(full.StoredEnergy(), 0, 1e-6);
}

TEST(FullSpace, RefusesDrivenHandles) {
  Scene scene = MakeEmbeddedScene("worm");
  scene.handles = {{.handle = 0, .stiffness = 1}};
  EXPECT_THROW(RunFullScene(scene, SmallSoftObject("worm"), 1), UsageError);
}

}  // namespace
}  // namespace sinew::scenes
