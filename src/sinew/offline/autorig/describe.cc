#include "sinew/offline/autorig/describe.h"

#include <fmt/format.h>

#include "sinew/offline/autorig/edge_input.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/nearest_words.h"
#include "sinew/offline/learn/layers/description.h"

namespace sinew::autorig {
namespace {

// Slope of all activations below zero (the paper's table of the architecture), and the share of the channels that
// become their maximum over the body (a fifth in section 3.2 of the paper).
constexpr double kSlope = 0.2, kShared = 0.25;

using layers::Description;

// Channels of a block, and which rings it works on (0: the mesh's own).
struct BlockSize {
  int channels, reach;
};

// MeshConv, normalisation and activation; then a share of the channels knows the whole body.
std::string Block(Description& net, const std::vector<std::string>& from, BlockSize size, const std::string& name) {
  net.Add({{"kind", "mesh_conv"}, {"outputs", size.channels}, {"reach", size.reach}}, from, name);
  net.Add({{"kind", "batch_norm"}}, {name}, name + ".norm");
  net.Add({{"kind", "leaky_relu"}, {"slope", kSlope}}, {name + ".norm"}, name + ".active");
  return net.Add({{"kind", "channel_max"}, {"channels", static_cast<int>(kShared * size.channels)}}, {name + ".active"},
                 name + ".shared");
}

// Blocks that reach further and further, twice; what the first of each kind and the last saw is known to the answers.
// skin: channels of the block before weights. joined: channels before votes.
Json Reaching(const std::vector<BlockSize>& blocks, int skin, int joined) {
  Description net(kFeatureColumns);
  std::vector<std::string> names = {"input"};
  for (const BlockSize& block : blocks) {
    names.push_back(Block(net, {names.back()}, block, fmt::format("block{}", names.size())));
  }
  const std::string &early = names[2], &middle = names[(names.size() + 1) / 2], &last = names.back();
  const std::string near = Block(net, {last, early}, {skin, 0}, "skin");
  net.Linear({near}, kJoints, "shares");
  net.Add({{"kind", "softmax"}}, {"shares"}, "weights");
  net.Linear({last, middle, early}, joined, "joined");
  const std::string known = net.Activation("joined", "leaky_relu", true);
  // The edge's own place beside what was made of it: a vote is a place, too.
  net.Linear({known, "input"}, kPooledColumns, "votes");
  net.Add({{"kind", "vote_pool"}, {"points", kJoints}, {"spread_scale", kSpreadScale}}, {"votes"}, "places");
  net.Add({{"kind", "join"}}, {"weights", "places"}, "answer");
  return net.json();
}

}  // namespace

std::vector<std::string> NetworkNames() { return {"small", "reaching"}; }

Json DescribeNetwork(const std::string& name) {
  if (name == "small") return Reaching({{16, 0}, {24, 1}, {32, 2}, {32, 3}}, 24, 48);
  if (name == "reaching") {
    return Reaching({{48, 0}, {64, 1}, {96, 2}, {128, 3}, {128, 1}, {128, 2}, {128, 3}}, 64, 160);
  }
  throw UsageError(fmt::format("there is no network '{}'; the nearest is '{}'", name, Nearest(name, NetworkNames())));
}

}  // namespace sinew::autorig
