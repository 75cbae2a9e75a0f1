#include "sinew/offline/autorig/describe.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/autorig/edge_input.h"
#include "sinew/offline/autorig/named_choice.h"
#include "sinew/offline/learn/layers/description.h"

namespace sinew::autorig {
namespace {

// Slope of all activations below zero (the paper's table of the architecture), and the share of the channels that
// become their maximum over the body (a fifth in section 4.1 of the paper).
constexpr double kSlope = 0.2, kShared = 0.25, kPaperShared = 0.2;
// Learning rates of the paper's blocks (its Table 5), relative to that of the skinning block.
constexpr double kGeometryRate = 1e-5 / 2e-4, kOffsetRate = 1e-4 / 2e-4;
constexpr int kTreeDistance = 2;       // bones over which joints see each other, as in the published code
constexpr int kReducedChannels = 128;  // per joint, before the small offset block

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

// Names of the layers that joints are made from.
struct Made {
  std::string seen;      // what the network sees of an edge
  std::string weights;   // share of every joint
  std::string features;  // of edges
};

// Blocks that reach further and further, twice; what the first of each kind and the last saw is known to the answers.
// skin: channels of the block before weights. joined: channels before votes.
Made Reaching(Description& net, const std::string& seen, const std::vector<BlockSize>& blocks, int skin, int joined) {
  std::vector<std::string> names = {seen};
  for (const BlockSize& block : blocks) {
    names.push_back(Block(net, {names.back()}, block, fmt::format("block{}", names.size())));
  }
  const std::string &early = names[2], &middle = names[(names.size() + 1) / 2], &last = names.back();
  const std::string near = Block(net, {last, early}, {skin, 0}, "skin");
  net.Linear({near}, kJoints, "shares");
  net.Add({{"kind", "softmax"}}, {"shares"}, "weights");
  net.Linear({last, middle, early}, joined, "joined");
  return {seen, "weights", net.Activation("joined", "leaky_relu", true)};
}

// MeshConv and activation of the paper's Table 5. shared: whether a fifth of the channels then knows the whole body.
std::string PaperConv(Description& net, const std::string& from, int channels, double rate, bool shared,
                      const std::string& name) {
  Json conv = {{"kind", "mesh_conv"}, {"outputs", channels}};
  if (rate != 1) conv["rate"] = rate;
  net.Add(conv, {from}, name);
  net.Add({{"kind", "leaky_relu"}, {"slope", kSlope}}, {name}, name + ".active");
  if (!shared) return name + ".active";
  const int maxima = std::max(1, static_cast<int>(kPaperShared * channels));
  return net.Add({{"kind", "channel_max"}, {"channels", maxima}}, {name + ".active"}, name + ".shared");
}

// The paper's skinning block and geometry block (its section 4.1 and Table 5), which see places alone.
Made Paper(Description& net, const std::vector<int>& skin, const std::vector<int>& geometry) {
  net.Add({{"kind", "columns"}, {"first", 0}, {"count", kPositionColumns}}, {"input"}, "positions");
  std::string last = "positions";
  for (size_t k = 0; k < skin.size(); ++k) {
    last = PaperConv(net, last, skin[k], 1, true, fmt::format("skin{}", k + 1));
  }
  net.Add({{"kind", "mesh_conv"}, {"outputs", kJoints}}, {last}, "shares");
  net.Add({{"kind", "softmax"}}, {"shares"}, "weights");
  last = "positions";
  for (size_t k = 0; k < geometry.size(); ++k) {
    last = PaperConv(net, last, geometry[k], kGeometryRate, false, fmt::format("geometry{}", k + 1));
  }
  return {"positions", "weights", last};
}

Json BipedParents() {
  Json parents = Json::array();
  for (const BipedJoint& joint : BipedJoints()) parents.push_back(joint.parent);
  return parents;
}

// Every edge votes for all joints; the edge's own place beside what was made of it: a vote is a place, too.
void AddVotes(Description& net, const Made& made) {
  net.Linear({made.features, made.seen}, kPooledColumns, "votes");
  net.Add({{"kind", "vote_pool"}, {"points", kJoints}, {"spread_scale", kSpreadScale}}, {"votes"}, "places");
}

// Eq. 1, then offsets of joints from their parents, along the tree, and their sums along it: places. widths: channels
// of the convolutions on the skeleton before the last, which answers offsets. reduced: whether channels become fewer
// first.
void AddOffsets(Description& net, const Made& made, bool by_area, bool reduced, std::vector<int> widths, double rate) {
  Json pool = {{"kind", "skinning_pool"}, {"joints", kJoints}};
  std::vector<std::string> from = {made.weights, made.features};
  if (by_area) {
    net.Add({{"kind", "columns"}, {"first", kFeatureColumns}, {"count", 1}}, {"input"}, "area");
    pool["measured"] = true;
    from.insert(from.begin(), "area");
  }
  std::string last = net.Add(pool, from, "pooled");
  if (reduced) {
    net.Add({{"kind", "linear"}, {"outputs", kReducedChannels}, {"rate", rate}}, {last}, "reduced");
    last = net.Add({{"kind", "leaky_relu"}, {"slope", kSlope}}, {"reduced"}, "reduced.active");
  }
  widths.push_back(3);
  for (size_t k = 0; k < widths.size(); ++k) {
    const std::string name = fmt::format("offset{}", k + 1);
    last = net.Add({{"kind", "skeleton_conv"},
                    {"outputs", widths[k]},
                    {"parents", BipedParents()},
                    {"distance", kTreeDistance},
                    {"rate", rate}},
                   {last}, name);
    if (k + 1 == widths.size()) break;
    last = net.Add({{"kind", "leaky_relu"}, {"slope", kSlope}}, {name}, name + ".active");
  }
  net.Add({{"kind", "chain_sum"}, {"parents", BipedParents()}}, {last}, "chains");
  net.Add({{"kind", "to_rows"}, {"joints", kJoints}}, {"chains"}, "places");
}

Made AddBlocks(Description& net, const std::string& blocks, const std::string& seen) {
  if (blocks == "small") return Reaching(net, seen, {{16, 0}, {24, 1}, {32, 2}, {32, 3}}, 24, 48);
  if (blocks == "reaching") {
    return Reaching(net, seen, {{48, 0}, {64, 1}, {96, 2}, {128, 3}, {128, 1}, {128, 2}, {128, 3}}, 64, 160);
  }
  if (blocks == "paper") return Paper(net, {64, 128, 256}, {64, 128, 256, 512});
  return Paper(net, {8, 12}, {8, 12, 16});
}

}  // namespace

std::vector<std::string> NetworkNames() { return {"small", "reaching", "paper-small", "paper"}; }

std::vector<std::string> OffsetNames() { return {"votes", "small", "paper"}; }

OffsetBlock OffsetBlockOf(const std::string& name) {
  return static_cast<OffsetBlock>(IndexOfWord(name, OffsetNames(), "offset block"));
}

Json DescribeNetwork(const NetworkChoice& choice) {
  IndexOfWord(choice.blocks, NetworkNames(), "network");
  const bool paper = choice.blocks == "paper" || choice.blocks == "paper-small";
  const bool votes = choice.offsets == OffsetBlock::kVotes;
  Description net(paper || !votes ? kSurfaceColumns : kFeatureColumns);
  std::string seen = "input";
  if (!paper && !votes) {
    seen = net.Add({{"kind", "columns"}, {"first", 0}, {"count", kFeatureColumns}}, {"input"}, "seen");
  }
  const Made made = AddBlocks(net, choice.blocks, seen);
  const double rate = paper ? kOffsetRate : 1;
  if (votes) {
    AddVotes(net, made);
  } else if (choice.offsets == OffsetBlock::kSmall) {
    AddOffsets(net, made, choice.by_area, true, {64}, rate);
  } else if (choice.blocks == "paper-small") {
    AddOffsets(net, made, choice.by_area, false, {8}, rate);
  } else {
    AddOffsets(net, made, choice.by_area, false, {256, 128, 64}, rate);  // Table 5
  }
  net.Add({{"kind", "join"}}, {"weights", "places"}, "answer");
  return net.json();
}

}  // namespace sinew::autorig
