#include "sinew/offline/autorig/describe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/offline/autorig/edge_input.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/learn/layers/described_network.h"
#include "sinew/offline/learn/layers/torch_layers.h"

namespace sinew::autorig {
namespace {

using layers::DescribedNetwork;

DescribedNetwork Network(const NetworkChoice& choice) { return {DescribeNetwork(choice), choice.blocks}; }

size_t ParametersOf(const DescribedNetwork& network, const std::string& prefix) {
  size_t sum = 0;
  for (const layers::TensorPlace& tensor : network.tensors()) {
    if (tensor.name.rfind(prefix, 0) == 0) sum += tensor.size();
  }
  return sum;
}

// Counts of the paper's Table 5, 122 pairs of joints within two bones.
TEST(DescribeNetwork, ThePapersBlocksHaveThePapersSizes) {
  const DescribedNetwork network = Network({.blocks = "paper", .offsets = OffsetBlock::kPaper, .by_area = false});
  EXPECT_EQ(ParametersOf(network, "skin") + ParametersOf(network, "shares"), 236952u);
  EXPECT_EQ(ParametersOf(network, "geometry"), 862080u);
  EXPECT_EQ(ParametersOf(network, "offset"),
            122u * (512 * 256 + 256 * 128 + 128 * 64 + 64 * 3) + 24u * (256 + 128 + 64 + 3));
  const DescribedNetwork small = Network({.blocks = "paper", .offsets = OffsetBlock::kSmall});
  EXPECT_LT(ParametersOf(small, "offset") + ParametersOf(small, "reduced"), 1'100'000u);
}

// Every choice is a network that answers weights and places for every edge, and that can be trained.
TEST(DescribeNetwork, EveryChoiceIsARig) {
  for (const std::string& blocks : NetworkNames()) {
    for (const std::string& offsets : OffsetNames()) {
      for (const bool by_area : {false, true}) {
        SCOPED_TRACE(blocks + " " + offsets);
        const bool votes = offsets == "votes";
        const DescribedNetwork network =
            Network({.blocks = blocks, .offsets = OffsetBlockOf(offsets), .by_area = by_area});
        EXPECT_EQ(network.outputs(), votes ? kAnswerColumns : kOffsetAnswerColumns);
        EXPECT_TRUE(network.answers_rows());
        EXPECT_TRUE(network.inputs() == kSurfaceColumns || (votes && network.inputs() == kFeatureColumns));
        EXPECT_FALSE(layers::ToTorch(network).empty());
      }
    }
  }
}

TEST(DescribeNetwork, UnknownNamesAreRefused) {
  EXPECT_THROW(DescribeNetwork({.blocks = "reachin"}), UsageError);
  try {
    OffsetBlockOf("vote");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("votes"));
  }
}

}  // namespace
}  // namespace sinew::autorig
