#include "sinew/offline/contact/worm_bench.h"

#include <gtest/gtest.h>

#include "sinew/offline/contact/dent_file.h"
#include "sinew/offline/core/error.h"
#include "tests/offline/contact/small_worm.h"
#include "tests/support/temporary_folder.h"

namespace sinew::contact {
namespace {

WormBenchOptions Tiny() {
  WormBenchOptions options;
  options.worm.triangles = 300;
  MakeTiny(options);
  return options;
}

TEST(WormBench, MakesTableAndPicturesAndGoesOn) {
  const testing::TemporaryFolder folder;
  const BenchResult result = RunWormBench(Tiny(), folder.path());
  ASSERT_EQ(result.rows.size(), 6u);
  EXPECT_EQ(result.test_samples, 4);
  EXPECT_EQ(result.rows[0].method, "sparse");
  EXPECT_EQ(result.rows[0].paper, 0.44);
  EXPECT_EQ(result.rows[3].paper, -1);
  EXPECT_LT(result.rows[0].samples, result.rows[3].samples);
  for (const BenchRow& row : result.rows) EXPECT_GT(row.error, 0);
  const std::string csv = ReadTextFile(folder / "table3.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 7);
  EXPECT_NE(ReadTextFile(folder / "contact.svg").find("object-centric"), std::string::npos);
  EXPECT_NE(ReadTextFile(folder / "table3.svg").find("<svg"), std::string::npos);
  EXPECT_EQ(ReadDent(folder / "sparse_1.dent").table.width(), 16);
  EXPECT_EQ(ReadDent(folder / "sparse_2.dent").table.handle_count(), 3);
  // All is there already, and the table is the same.
  const BenchResult again = RunWormBench(Tiny(), folder.path());
  EXPECT_EQ(again.seconds_per_sample, 0);
  for (size_t i = 0; i < result.rows.size(); ++i) EXPECT_EQ(again.rows[i].error, result.rows[i].error);
}

TEST(WormBench, TimeThatIsOverIsSaid) {
  const testing::TemporaryFolder folder;
  WormBenchOptions options = Tiny();
  options.sample_minutes = 1e-9;
  EXPECT_THROW(RunWormBench(options, folder.path()), FailedError);
  options = Tiny();
  options.methods = {"magic"};
  EXPECT_THROW(RunWormBench(options, folder.path()), UsageError);
}

// A prediction of nothing is the linear subspace, whose error is 1; the truth has none.
TEST(WormBench, RelativeErrorIsThatOfTheDefinition) {
  ContactShard shard;
  shard.size = 2;
  shard.positions = {0, 0, 1, 0};
  shard.samples.push_back({.r = {0x3c00, 0, 0, 0x4000}});  // (1, 0), (0, 2)
  const std::vector<SampleRef> refs = {{&shard, &shard.samples[0]}};
  learn::RowMatrix r = learn::RowMatrix::Zero(2, 2);
  const auto predict = [&](const SampleRef&) { return r; };
  EXPECT_DOUBLE_EQ(RelativeError(refs, predict), 1);
  r << 1, 0, 0, 1;
  EXPECT_DOUBLE_EQ(RelativeError(refs, predict), std::sqrt(1.0 / 5));
  r(1, 1) = 2;
  EXPECT_EQ(RelativeError(refs, predict), 0);
}

}  // namespace
}  // namespace sinew::contact
