#include "sinew/offline/graphnet/describe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sinew/offline/core/error.h"
#include "sinew/offline/learn/layers/described_network.h"

namespace sinew::graphnet {
namespace {

using ::testing::HasSubstr;

constexpr int kInputs = 30;

TEST(DescribeNetwork, AllAreNetworks) {
  for (const std::string& name : NetworkNames()) {
    const layers::DescribedNetwork network(DescribeNetwork(name, kInputs), name);
    EXPECT_EQ(network.inputs(), kInputs);
    EXPECT_EQ(network.outputs(), 3);
    EXPECT_EQ(network.needs_graph(), name != "mlp");
    EXPECT_EQ(network.coarser_levels(), BodyOptionsFor(name).coarser_levels);
  }
}

// The sizes of section 4: 64, 32; blocks of 256 on 32, 288, 544 and 800; 1,056 joined, then 256, 64 and 3.
TEST(DescribeNetwork, LocalHasThePapersSizes) {
  const layers::DescribedNetwork network(DescribeNetwork("local", kInputs), "local");
  const size_t dense = (kInputs + 1) * 64 + 65 * 32 + 1057 * 256 + 257 * 64 + 65 * 3;
  const size_t blocks = (32 + 288 + 544 + 800) * 256 + 4 * 2 * 128;
  const size_t norms = 4 * (64 + 32 + 4 * 256);
  EXPECT_EQ(network.parameter_count(), dense + blocks + norms);
}

// Section 4 with 24 joints, and the global branch: two blocks on 32 and 256 channels, one on 256; 1,312 joined. What
// the text does not have is normalisation in the seven blocks.
TEST(DescribeNetwork, PaperHasThePapersSizes) {
  const layers::DescribedNetwork network(DescribeNetwork("paper", kInputs), "paper");
  size_t trained = 0;
  for (const uint8_t one : network.TrainedMask()) trained += one;
  EXPECT_EQ(trained, 924771u + 7 * 2 * 256);
  const layers::DescribedNetwork single(DescribeNetwork("single-resolution", kInputs), "single");
  const size_t scores = 2 * 32, blocks = (32 + 256 + 256) * 256 + 3 * 2 * 128, norms = 3 * 4 * 256;
  EXPECT_EQ(network.parameter_count() - single.parameter_count(), scores + blocks + norms + 256 * 256);
}

size_t TrainedOf(const std::string& name) {
  const std::vector<uint8_t> mask = layers::DescribedNetwork(DescribeNetwork(name, kInputs), name).TrainedMask();
  return static_cast<size_t>(std::count(mask.begin(), mask.end(), 1));
}

// What the global branch brings is compared at equal size: never with fewer parameters without it.
TEST(DescribeNetwork, TheWideOneHasAsManyParametersAsThePapers) {
  EXPECT_GE(TrainedOf("single-resolution-wide"), TrainedOf("paper"));
  EXPECT_LT(static_cast<double>(TrainedOf("single-resolution-wide")), 1.015 * static_cast<double>(TrainedOf("paper")));
}

TEST(DescribeNetwork, DenseGatHasTheBlocksOfTheLocalBranchOnPositions) {
  EXPECT_EQ(DescribeNetwork("dense-gat", kInputs), DescribeNetwork("single-resolution", kInputs));
  EXPECT_EQ(BodyOptionsFor("dense-gat"), BodyOptions{.features = Features::kPositions});
}

TEST(DescribeNetwork, RefusesUnknownNames) {
  EXPECT_THAT([] { DescribeNetwork("smal", 3); }, ::testing::Throws<UsageError>(::testing::Property(
                                                      &UsageError::what, HasSubstr("the nearest is 'small'"))));
}

}  // namespace
}  // namespace sinew::graphnet
