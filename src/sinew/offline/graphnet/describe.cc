#include "sinew/offline/graphnet/describe.h"

#include <fmt/format.h>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/nearest_words.h"
#include "sinew/offline/learn/layers/description.h"

namespace sinew::graphnet {
namespace {

constexpr int kOutputs = 3;
constexpr int kHeads = 8, kHeadWidth = 16;  // of the paper's blocks
// With heads this wide the local branch alone has as many parameters as both branches of the paper: 1% more.
constexpr int kWideHeadWidth = 19;
// Of the last layer's first weights: a new network corrects next to nothing, instead of anything.
constexpr double kFirstAnswer = 0.01;

// Of our network: blocks of 128 channels on the working level, of 256 below.
constexpr int kHierarchyLevels = 3, kHierarchyStart = 64, kFineHeadWidth = 8;
// 20 mm on a person of 1.7 m: about 5,000 points.
constexpr double kWorkingEdge = 0.02 / 1.7;

using layers::Description;

// Attention block of Eqs. 5 and 6: heads beside a self stream of the same width.
std::string Block(Description& net, const std::vector<std::string>& from, int heads, int width,
                  const std::string& activation, const std::string& name) {
  net.Add({{"kind", "graph_attention"}, {"heads", heads}, {"width", width}, {"self", heads * width}}, from, name);
  return net.Activation(name, activation, true);
}

Json Finish(Description& net, const std::string& from) {
  net.Add({{"kind", "linear"}, {"outputs", kOutputs}, {"initial_scale", kFirstAnswer}}, {from}, "answer");
  return net.json();
}

// Blocks that see all that was before them (Eq. 7). Returns all of it.
std::vector<std::string> DenseBlocks(Description& net, const std::string& from, int count, int heads, int width,
                                     const std::string& activation) {
  std::vector<std::string> seen = {from};
  for (int k = 1; k <= count; ++k) {
    seen.push_back(Block(net, seen, heads, width, activation, fmt::format("block{}", k)));
  }
  return seen;
}

Json Small(int inputs) {
  Description net(inputs);
  const std::string start = net.Activation(net.Linear({"input"}, 32, "feature"), "tanh", true);
  const std::vector<std::string> all = DenseBlocks(net, start, 2, 4, 8, "elu");
  net.Add({{"kind", "linear"}, {"outputs", 64}}, all, "joined");
  return Finish(net, net.Activation("joined", "elu", false));
}

Json Mlp(int inputs) {
  Description net(inputs);
  std::string last = "input";
  int k = 0;
  for (const int width : {256, 512, 512, 128}) {
    last = net.Activation(net.Linear({last}, width, fmt::format("layer{}", ++k)), "tanh", true);
  }
  return Finish(net, last);
}

// The paper says nothing about activations between the last three layers, nor about normalisation in the blocks,
// without which x - tanh x, flat at 0, lets small signals die.
Json Local(int inputs) {
  Description net(inputs);
  const std::string first = net.Activation(net.Linear({"input"}, 64, "feature1"), "tanh", true);
  const std::string start = net.Activation(net.Linear({first}, 32, "feature2"), "tanh", true);
  net.Add({{"kind", "linear"}, {"outputs", 256}}, DenseBlocks(net, start, 4, kHeads, kHeadWidth, "tanhshrink"),
          "joined1");
  const std::string joined = net.Linear({net.Activation("joined1", "elu", false)}, 64, "joined2");
  return Finish(net, net.Activation(joined, "elu", false));
}

// Global branch: pooling by attention (Eqs. 8, 9), two blocks on the coarse graph, unpooling (Eq. 10), and the block at
// full resolution that Eq. 11 has inside. The scores are a single head on the features as they are.
std::string GlobalBranch(Description& net, const std::string& from) {
  std::string last = net.Add({{"kind", "contract"}}, {from}, "pool");
  for (const char* name : {"coarse1", "coarse2"}) last = Block(net, {last}, kHeads, kHeadWidth, "tanhshrink", name);
  last = net.Add({{"kind", "expand"}}, {last}, "unpool");
  return Block(net, {last}, kHeads, kHeadWidth, "tanhshrink", "global");
}

// The network of section 4. Both feature modules have normalisation and tanh, as Fig. 2 draws them alike. Not in the
// text: normalisation in the blocks, as in Local(). width: of the heads of the local branch.
Json Paper(int inputs, bool global, int width = kHeadWidth) {
  Description net(inputs);
  const std::string first = net.Activation(net.Linear({"input"}, 64, "feature1"), "tanh", true);
  const std::string start = net.Activation(net.Linear({first}, 32, "feature2"), "tanh", true);
  std::vector<std::string> all = DenseBlocks(net, start, 4, kHeads, width, "tanhshrink");
  if (global) all.push_back(GlobalBranch(net, start));
  net.Add({{"kind", "linear"}, {"outputs", 256}}, all, "joined1");  // Eq. 11
  const std::string joined = net.Linear({net.Activation("joined1", "tanh", true)}, 64, "joined2");
  return Finish(net, net.Activation(joined, "tanh", true));
}

// Blocks down to the coarsest level and up again; on the way up each level also sees what it had on the way down. flat:
// all blocks on one level.
Json Hierarchy(int inputs, const std::string& activation, bool flat) {
  Description net(inputs);
  const auto pool = [&](const std::string& from, const char* kind, const std::string& name) {
    return flat ? from : net.Add({{"kind", kind}}, {from}, name);
  };
  std::string last = net.Activation(net.Linear({"input"}, kHierarchyStart, "feature1"), activation, true);
  last = net.Activation(net.Linear({last}, kHierarchyStart, "feature2"), activation, true);
  last = Block(net, {last}, kHeads, kFineHeadWidth, activation, "down0");
  std::vector<std::string> down = {last};
  for (int level = 1; level <= kHierarchyLevels; ++level) {
    last = pool(last, "pool_level", fmt::format("pool{}", level));
    for (const char* half : {"a", "b"}) {
      last = Block(net, {last}, kHeads, kHeadWidth, activation, fmt::format("down{}{}", level, half));
    }
    down.push_back(last);
  }
  for (int level = kHierarchyLevels - 1; level >= 0; --level) {
    last = pool(last, "unpool_level", fmt::format("unpool{}", level));
    const int width = level > 0 ? kHeadWidth : kFineHeadWidth;
    last = Block(net, {last, down[level]}, kHeads, width, activation, fmt::format("up{}", level));
  }
  net.Add({{"kind", "linear"}, {"outputs", 128}}, {last, down[0], "input"}, "joined1");
  const std::string joined = net.Linear({net.Activation("joined1", activation, false)}, 64, "joined2");
  return Finish(net, net.Activation(joined, activation, false));
}

bool IsHierarchy(const std::string& name) { return name.rfind("hierarchy", 0) == 0; }

}  // namespace

const std::vector<std::string>& NetworkNames() {
  static const std::vector<std::string> names = {"small",
                                                 "mlp",
                                                 "local",
                                                 "paper",
                                                 "single-resolution",
                                                 "single-resolution-wide",
                                                 "dense-gat",
                                                 "hierarchy",
                                                 "hierarchy-flat",
                                                 "hierarchy-tanhshrink"};
  return names;
}

BodyOptions BodyOptionsFor(const std::string& name) {
  if (name == "dense-gat") return {.features = Features::kPositions};
  if (!IsHierarchy(name)) return {};
  return {.features = Features::kCues,
          .answers = Answers::kLimb,
          .working_edge = kWorkingEdge,
          .coarser_levels = name == "hierarchy-flat" ? 0 : kHierarchyLevels};
}

Json DescribeNetwork(const std::string& name, int inputs) {
  if (name == "small") return Small(inputs);
  if (name == "mlp") return Mlp(inputs);
  if (name == "local") return Local(inputs);
  if (name == "paper") return Paper(inputs, true);
  if (name == "single-resolution" || name == "dense-gat") return Paper(inputs, false);
  if (name == "single-resolution-wide") return Paper(inputs, false, kWideHeadWidth);
  if (name == "hierarchy") return Hierarchy(inputs, "elu", false);
  if (name == "hierarchy-flat") return Hierarchy(inputs, "elu", true);
  if (name == "hierarchy-tanhshrink") return Hierarchy(inputs, "tanhshrink", false);
  throw UsageError(fmt::format("there is no network '{}'; the nearest is '{}'", name, Nearest(name, NetworkNames())));
}

}  // namespace sinew::graphnet
