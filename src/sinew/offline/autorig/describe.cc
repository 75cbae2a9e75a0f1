#include "sinew/offline/autorig/describe.h"

#include <fmt/format.h>

#include "sinew/offline/autorig/edge_input.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/nearest_words.h"
#include "sinew/offline/learn/layers/description.h"

namespace sinew::autorig {
namespace {

// Slope of all activations below zero, and the share of the channels that become their maximum over the body (section
// 3.2 of the paper, and its table of the architecture).
constexpr double kSlope = 0.2, kShared = 0.2;

using layers::Description;

// MeshConv, normalisation and activation; then a share of the channels knows the whole body.
std::string Block(Description& net, const std::string& from, int channels, const std::string& name) {
  net.Add({{"kind", "mesh_conv"}, {"outputs", channels}}, {from}, name);
  net.Add({{"kind", "batch_norm"}}, {name}, name + ".norm");
  net.Add({{"kind", "leaky_relu"}, {"slope", kSlope}}, {name + ".norm"}, name + ".active");
  return net.Add({{"kind", "channel_max"}, {"channels", static_cast<int>(kShared * channels)}}, {name + ".active"},
                 name + ".shared");
}

// Skinning block and a block that votes, apart from each other as the paper's skinning and geometry blocks are.
Json Voting(const std::vector<int>& channels) {
  Description net(kFeatureColumns);
  std::string skin = "input", votes = "input";
  for (size_t k = 0; k < channels.size(); ++k) {
    skin = Block(net, skin, channels[k], fmt::format("skin{}", k + 1));
    votes = Block(net, votes, channels[k], fmt::format("votes{}", k + 1));
  }
  net.Add({{"kind", "mesh_conv"}, {"outputs", kJoints}}, {skin}, "skin");
  net.Add({{"kind", "softmax"}}, {"skin"}, "weights");
  net.Add({{"kind", "linear"}, {"outputs", channels.back() / 2}}, {votes}, "votes.joined");
  net.Add({{"kind", "leaky_relu"}, {"slope", kSlope}}, {"votes.joined"}, "votes.last");
  // The edge's own place beside what was made of it: a vote is a place, too.
  net.Add({{"kind", "linear"}, {"outputs", kVoteColumns}}, {"votes.last", "input"}, "votes");
  net.Add({{"kind", "join"}}, {"weights", "votes"}, "answer");
  return net.json();
}

}  // namespace

std::vector<std::string> NetworkNames() { return {"small", "voting"}; }

Json DescribeNetwork(const std::string& name) {
  if (name == "small") return Voting({16, 32, 48});
  if (name == "voting") return Voting({64, 128, 256});
  throw UsageError(fmt::format("there is no network '{}'; the nearest is '{}'", name, Nearest(name, NetworkNames())));
}

}  // namespace sinew::autorig
