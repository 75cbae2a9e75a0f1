#include "sinew/offline/ablation/trials.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "sinew/offline/core/file.h"
#include "tests/support/error_of.h"
#include "tests/support/temporary_folder.h"

namespace sinew::ablation {
namespace {

namespace fs = std::filesystem;
using testing::ErrorOf;
using ::testing::HasSubstr;

const Json kSettings = {{"steps", 20}, {"seed", 1}};

TEST(Trials, AreRowByRow) {
  const std::vector<Row> rows = ChooseRows(MakeRows({}, 4), {"ours", "mlp"});
  const std::vector<Trial> trials = MakeTrials(rows, {1e-3, 3e-3});
  ASSERT_EQ(trials.size(), 4u);
  EXPECT_EQ(trials[0].name, "ours-0.001");
  EXPECT_EQ(trials[1].name, "ours-0.003");
  EXPECT_EQ(trials[2].row, 1u);
  EXPECT_EQ(trials[3].name, "mlp-0.003");
}

TEST(TrialFolder, IsForOneSetOfSettings) {
  const sinew::testing::TemporaryFolder folder;
  const fs::path path = folder / "rows";
  { const TrialFolder made(path, kSettings); }
  EXPECT_EQ(ErrorOf([&] { TrialFolder(path, kSettings); }), "no error");
  EXPECT_EQ(ErrorOf([&] {
              TrialFolder(path, {{"steps", 30}, {"seed", 1}});
            }),
            path.string() +
                " has trainings with another value of \"steps\": 20 and not 30; call it as before, or give "
                "another folder");
  const TrialFolder open(path, kSettings);
  EXPECT_THAT(ErrorOf([&] { TrialFolder(path, kSettings); }), HasSubstr("rows"));
}

TEST(TrialFolder, DoesNotTakeAnothersFolder) {
  const sinew::testing::TemporaryFolder folder;
  WriteFileAtomic(folder / "mine.txt", "mine");
  EXPECT_THAT(ErrorOf([&] { TrialFolder(folder.path(), kSettings); }),
              HasSubstr("holds no trainings of `sinew learn ablate`"));
  EXPECT_THAT(ErrorOf([&] { TrialFolder(folder / "mine.txt", kSettings); }), HasSubstr("give another folder"));
  fs::create_directory(folder / "broken");
  WriteFileAtomic(folder / "broken" / "ablation.json", "[1, 2");
  EXPECT_THAT(ErrorOf([&] { TrialFolder(folder / "broken", kSettings); }), HasSubstr("is no JSON object"));
}

TEST(TrialFolder, KnowsWhatIsDone) {
  const sinew::testing::TemporaryFolder folder;
  const TrialFolder open(folder / "rows", kSettings);
  const Trial trial{0, 0.003, "ours-0.003"};
  EXPECT_FALSE(open.IsDone(trial));
  WriteFileAtomic(open.Model(trial), "model");
  EXPECT_TRUE(open.IsDone(trial));
  WriteFileAtomic(open.State(trial), "state");
  EXPECT_FALSE(open.IsDone(trial)) << "a training that goes on";
}

}  // namespace
}  // namespace sinew::ablation
