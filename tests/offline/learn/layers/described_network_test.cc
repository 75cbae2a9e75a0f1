#include "sinew/offline/learn/layers/described_network.h"

#include <gtest/gtest.h>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/learn/adam.h"
#include "tests/offline/learn/layers/layer_checks.h"
#include "tests/support/mesh_families.h"

namespace sinew::layers {
namespace {

DescribedNetwork Network(const std::string& text) { return {ParseJson(text, "net.json"), "net.json"}; }

constexpr const char* kPerceptron = R"({"inputs": 3, "layers": [
  {"name": "fc1", "kind": "linear", "outputs": 8}, {"name": "bn1", "kind": "batch_norm"}, {"kind": "tanh"},
  {"name": "fc2", "kind": "linear", "outputs": 2, "initial_scale": 0.5}]})";

constexpr const char* kDense = R"({"inputs": 3, "layers": [
  {"name": "features", "kind": "linear", "outputs": 4}, {"name": "f", "kind": "elu"},
  {"name": "gat1", "kind": "graph_attention", "heads": 2, "width": 3, "self": 4}, {"name": "g1", "kind": "tanhshrink"},
  {"name": "gat2", "kind": "graph_attention", "from": ["f", "g1"], "heads": 1, "width": 4, "self": 0},
  {"name": "g2", "kind": "elu"},
  {"name": "all", "kind": "join", "from": ["input", "f", "g1", "g2"]},
  {"name": "out", "kind": "linear", "outputs": 3, "bias": false}]})";

constexpr const char* kEdges = R"({"inputs": 3, "layers": [
  {"name": "c1", "kind": "mesh_conv", "outputs": 6}, {"kind": "leaky_relu", "slope": 0.2},
  {"kind": "channel_max", "channels": 2}, {"name": "c2", "kind": "mesh_conv", "outputs": 4}, {"kind": "softmax"}]})";

// A branch on a contracted graph beside one on the graph itself, which the contraction's scores have a part in.
constexpr const char* kGlobal = R"({"inputs": 3, "layers": [
  {"name": "f", "kind": "linear", "outputs": 4},
  {"name": "pool", "kind": "contract", "width": 3},
  {"name": "gat", "kind": "graph_attention", "heads": 2, "width": 3, "self": 2}, {"kind": "batch_norm"},
  {"name": "g", "kind": "elu"},
  {"name": "back", "kind": "expand", "from": ["g"]}, {"name": "pooled", "kind": "expand", "from": ["pool"]},
  {"name": "out", "kind": "linear", "from": ["f", "back", "pooled"], "outputs": 3}]})";

// Scores on the channels as they are.
constexpr const char* kBareScores = R"({"inputs": 3, "layers": [
  {"kind": "contract"}, {"kind": "linear", "outputs": 4}, {"kind": "elu"}, {"name": "back", "kind": "expand"},
  {"name": "out", "kind": "linear", "from": ["input", "back"], "outputs": 3}]})";

// Weights of two joints, by which features are pooled.
constexpr const char* kJoints = R"({"inputs": 3, "layers": [
  {"name": "w", "kind": "linear", "outputs": 2}, {"name": "skin", "kind": "softmax"},
  {"name": "x", "kind": "linear", "from": ["input"], "outputs": 4},
  {"name": "joints", "kind": "skinning_pool", "from": ["skin", "x"], "joints": 2}, {"kind": "tanh"},
  {"name": "out", "kind": "linear", "outputs": 3}]})";

// A rig: weights of three joints, by which features are pooled, counted by a channel of the input; places along the
// tree; and both for every row.
constexpr const char* kRig = R"({"inputs": 3, "layers": [
  {"name": "see", "kind": "columns", "first": 0, "count": 2},
  {"name": "w", "kind": "linear", "outputs": 3}, {"name": "skin", "kind": "softmax"},
  {"name": "x", "kind": "linear", "from": ["see"], "outputs": 4, "rate": 0.5},
  {"kind": "softmax", "from": ["input"]}, {"name": "size", "kind": "columns", "first": 2, "count": 1},
  {"name": "joints", "kind": "skinning_pool", "from": ["size", "skin", "x"], "joints": 3, "measured": true},
  {"name": "o1", "kind": "skeleton_conv", "outputs": 4, "parents": [-1, 0, 1], "distance": 1}, {"kind": "tanh"},
  {"name": "o2", "kind": "skeleton_conv", "outputs": 3, "parents": [-1, 0, 1], "distance": 2, "rate": 2},
  {"kind": "chain_sum", "parents": [-1, 0, 1]}, {"name": "places", "kind": "to_rows", "joints": 3},
  {"name": "out", "kind": "join", "from": ["skin", "places"]}]})";

// Down to two coarser levels and up again, beside the graph itself, with a contraction on the first.
constexpr const char* kLevels = R"({"inputs": 3, "layers": [
  {"name": "f", "kind": "linear", "outputs": 4}, {"name": "one", "kind": "pool_level"},
  {"name": "g1", "kind": "graph_attention", "heads": 2, "width": 2, "self": 2}, {"name": "two", "kind": "pool_level"},
  {"kind": "graph_attention", "heads": 1, "width": 3, "self": 2}, {"kind": "batch_norm"}, {"kind": "elu"},
  {"name": "up1", "kind": "unpool_level"},
  {"kind": "contract", "from": ["g1"], "width": 2}, {"name": "merged", "kind": "expand"},
  {"kind": "linear", "from": ["up1", "merged", "one"], "outputs": 4}, {"name": "up0", "kind": "unpool_level"},
  {"name": "out", "kind": "linear", "from": ["f", "up0"], "outputs": 3}]})";

// Something for every network to work on: a graph and a mesh with as many nodes as the mesh has edges, and coarser
// levels.
struct World {
  EdgeRings rings;
  Graph graph;
  std::vector<CoarserGraph> coarser;
  World() {
    const TriMesh mesh = testing::Grid(2, 2);
    rings = RingsOf(BuildEdges(mesh.triangles, mesh.vertex_count()));
    graph = MakeGraph(rings.edge_count(), RingEdges(rings.edge_count()), true);
    for (int level = 0; level < 2; ++level) {
      const Graph& fine = coarser.empty() ? graph : coarser.back().graph;
      std::vector<int> coarse_of;
      std::vector<float> weights;
      for (int i = 0; i < fine.node_count(); ++i) {
        coarse_of.push_back(i / 2);
        weights.push_back(static_cast<float>(1 + i % 3));
      }
      CoarserGraph made = MakeCoarserGraph(fine, coarse_of, weights);
      coarser.push_back(std::move(made));
    }
  }
  int rows() const { return rings.edge_count(); }
  Domain domain() const { return {&graph, &rings, coarser}; }
};

std::vector<float> Parameters(const DescribedNetwork& network) {
  Random random(3);
  return network.InitialParameters(random);
}

TEST(DescribedNetwork, NamesAndPlacesItsTensors) {
  const DescribedNetwork network = Network(kPerceptron);
  std::vector<std::string> names;
  size_t at = 0;
  for (const TensorPlace& tensor : network.tensors()) {
    names.push_back(tensor.name);
    EXPECT_EQ(tensor.offset, at);
    at += tensor.size();
  }
  EXPECT_EQ(at, network.parameter_count());
  EXPECT_EQ(names, (std::vector<std::string>{"fc1.weight", "fc1.bias", "bn1.gamma", "bn1.beta", "bn1.mean",
                                             "bn1.variance", "fc2.weight", "fc2.bias"}));
  EXPECT_EQ(network.inputs(), 3);
  EXPECT_EQ(network.outputs(), 2);
  EXPECT_FALSE(network.needs_graph());
  EXPECT_TRUE(Network(kDense).needs_graph());
  EXPECT_TRUE(Network(kEdges).needs_rings());
}

TEST(DescribedNetwork, GradientsAreRight) {
  const World world;
  for (const char* text : {kPerceptron, kDense, kEdges, kGlobal, kBareScores, kJoints, kRig, kLevels}) {
    const DescribedNetwork network = Network(text);
    const std::vector<float> parameters = Parameters(network);
    const RowMatrix x = Noise(world.rows(), 3, 1);
    const RowMatrix dy = Noise(network.answers_rows() ? world.rows() : 2, network.outputs(), 2);
    for (const bool training : {true, false}) {
      std::vector<float> gradient(parameters.size(), 0.0f);
      RowMatrix dx;
      const NetworkTrace trace = network.Forward(parameters, x, world.domain(), training);
      network.Backward(parameters, trace, world.domain(), dy, gradient, &dx);
      // Statistics are not trained: held still, they have no gradient here either.
      std::vector<float> trained;
      for (const TensorPlace& tensor : network.tensors()) {
        for (size_t k = 0; k < tensor.size() && tensor.trained; ++k) trained.push_back(parameters[tensor.offset + k]);
      }
      const auto spread = [&](const RowMatrix& values, std::span<float> all, bool back) {
        RowMatrix out = values;
        Eigen::Index at = 0;
        for (const TensorPlace& tensor : network.tensors()) {
          for (size_t k = 0; k < tensor.size() && tensor.trained; ++k, ++at) {
            if (back) {
              out(0, at) = all[tensor.offset + k];
            } else {
              all[tensor.offset + k] = values(0, at);
            }
          }
        }
        return out;
      };
      const auto of_parameters = [&](const RowMatrix& m) {
        std::vector<float> moved = parameters;
        spread(m, moved, false);
        return Weighted(network.Forward(moved, x, world.domain(), training).output(), dy);
      };
      const RowMatrix at = Eigen::Map<RowMatrix>(trained.data(), 1, static_cast<Eigen::Index>(trained.size()));
      const double tolerance = 3e-3;  // kinks of ELU, LeakyReLU and the maximum
      EXPECT_LT(FloatGradientError(of_parameters, at, spread(at, gradient, true), 5e-3), tolerance) << text;
      EXPECT_LT(FloatGradientError(
                    [&](const RowMatrix& m) {
                      return Weighted(network.Forward(parameters, m, world.domain(), training).output(), dy);
                    },
                    x, dx, 5e-3),
                tolerance)
          << text;
    }
  }
}

TEST(DescribedNetwork, EvaluateIsForwardWithStoredStatistics) {
  const World world;
  for (const char* text : {kPerceptron, kDense, kEdges, kGlobal, kBareScores, kJoints, kRig, kLevels}) {
    const DescribedNetwork network = Network(text);
    const std::vector<float> parameters = Parameters(network);
    const RowMatrix x = Noise(world.rows(), 3, 1);
    EXPECT_EQ(network.Evaluate(parameters, x, world.domain()),
              network.Forward(parameters, x, world.domain(), false).output());
    EXPECT_TRUE(SameOnAllThreads([&] { return network.Evaluate(parameters, x, world.domain()); }));
  }
}

TEST(DescribedNetwork, LearnsAndItsStatisticsFollow) {
  const DescribedNetwork network = Network(kPerceptron);
  std::vector<float> parameters = Parameters(network), first(parameters.size()), second(parameters.size());
  const RowMatrix x = Noise(300, 3, 1);
  RowMatrix wanted(300, 2);
  wanted.col(0) = x.col(0).cwiseProduct(x.col(1));
  wanted.col(1) = x.col(2);
  const auto error = [&] {
    return (network.Evaluate(parameters, x, {}) - wanted).squaredNorm() / wanted.squaredNorm();
  };
  const double before = error();
  for (int step = 1; step <= 400; ++step) {
    const NetworkTrace trace = network.Forward(parameters, x, {}, true);
    std::vector<float> gradient(parameters.size(), 0.0f);
    network.Backward(parameters, trace, {}, (trace.output() - wanted) / 300, gradient);
    learn::AdvanceAdam<float>(gradient, static_cast<float>(learn::AdamScale(step, 0.02)), 1, {}, first, second,
                              parameters);
    network.UpdateStatistics(trace, parameters);
  }
  EXPECT_LT(error(), 0.1 * before);
}

TEST(DescribedNetwork, GoesThroughAModelFile) {
  const World world;
  const DescribedNetwork network = Network(kDense);
  const std::vector<float> parameters = Parameters(network);
  const RowMatrix x = Noise(world.rows(), 3, 1);
  learn::Model model;
  model.architecture = network.description();
  model.settings = model.figures = Json::object();
  model.licence = "CC0-1.0";
  model.tensors = network.ToTensors(parameters, learn::TensorPrecision::kFloat);
  const learn::Model back = learn::DecodeModel(learn::EncodeModel(model), "a.model");
  const DescribedNetwork again(*back.architecture, "a.model");
  EXPECT_EQ(again.Evaluate(again.ParametersOf(back, "a.model"), x, world.domain()),
            network.Evaluate(parameters, x, world.domain()));

  model.tensors = network.ToTensors(parameters, learn::TensorPrecision::kHalf);
  const learn::Model half = learn::DecodeModel(learn::EncodeModel(model), "a.model");
  EXPECT_LT((network.Evaluate(network.ParametersOf(half, "a.model"), x, world.domain()) -
             network.Evaluate(parameters, x, world.domain()))
                .cwiseAbs()
                .maxCoeff(),
            0.02);

  learn::Model missing = model;
  missing.tensors.pop_back();
  EXPECT_THROW(network.ParametersOf(missing, "a.model"), InputError);
  model.tensors[0].shape = {4, 3};
  EXPECT_THROW(network.ParametersOf(model, "a.model"), InputError);
}

void ExpectRefused(const std::string& text, const std::string& word) {
  try {
    Network(text);
    ADD_FAILURE() << text;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
  }
}

TEST(DescribedNetwork, BadDescriptionsAreRefused) {
  ExpectRefused(R"({"layers": []})", "inputs");
  ExpectRefused(R"({"inputs": 3, "layers": []})", "layers");
  ExpectRefused(R"({"inputs": 3, "layers": [{"kind": "tanh"}], "more": 1})", "more");
  ExpectRefused(R"({"inputs": 3, "layers": [{"kind": "tahn"}]})", "'tanh'");
  ExpectRefused(R"({"inputs": 3, "layers": [{"kind": "tanh", "slope": 1}]})", "slope");
  ExpectRefused(R"({"inputs": 3, "layers": [{"kind": "linear", "outputs": 0}]})", "outputs");
  ExpectRefused(R"({"inputs": 3, "layers": [{"kind": "linear", "outputs": 1, "initial_scale": -1}]})", "initial_scale");
  ExpectRefused(R"({"inputs": 3, "layers": [{"kind": "tanh", "from": ["later"]}, {"kind": "tanh", "name": "later"}]})",
                "later");
  ExpectRefused(R"({"inputs": 3, "layers": [{"kind": "tanh", "from": []}]})", "nothing");
  ExpectRefused(R"({"inputs": 3, "layers": [{"kind": "tanh", "name": "a"}, {"kind": "tanh", "name": "a"}]})", "'a'");
  ExpectRefused(R"({"inputs": 3, "layers": [{"kind": "channel_max", "channels": 4}]})", "channels");
  ExpectRefused(R"({"inputs": 65536, "layers": [{"kind": "linear", "outputs": 65536}]})", "2^28");
  ExpectRefused(R"([1])", "object");
}

TEST(DescribedNetwork, LayersKeepToTheirRows) {
  const auto refused = [](const std::string& layers, const std::string& word) {
    ExpectRefused(R"({"inputs": 4, "layers": [{"name": "c", "kind": "contract", "width": 2},)" + layers + "]}", word);
  };
  refused(R"({"kind": "tanh"})", "ends inside of a contraction");
  refused(R"({"kind": "join", "from": ["input", "c"]}, {"kind": "expand"})", "rows are not the same");
  refused(R"({"kind": "contract", "width": 2}, {"kind": "expand"})", "merged already");
  refused(R"({"kind": "mesh_conv", "outputs": 2}, {"kind": "expand"})", "edges of the mesh");
  refused(R"({"kind": "expand"}, {"kind": "expand"})", "no contraction to undo");
  refused(R"({"kind": "expand"}, {"kind": "skinning_pool", "joints": 4})", "pools by 4 weights");
  refused(R"({"kind": "expand"}, {"kind": "skinning_pool", "joints": 1025})", "joints");
  refused(R"({"kind": "expand"}, {"kind": "skinning_pool", "joints": 2},
             {"kind": "graph_attention", "heads": 1, "width": 2, "self": 0})",
          "joints do not have");
  const auto pooled = [&](const std::string& layer, const std::string& word) {
    refused(R"({"kind": "expand"}, {"kind": "skinning_pool", "joints": 2}, )" + layer, word);
  };
  pooled(R"({"kind": "to_rows", "joints": 3})", "works on 3 joints");
  pooled(R"({"kind": "chain_sum", "parents": [-1, 0, 0]})", "works on 3 joints");
  pooled(R"({"kind": "skeleton_conv", "outputs": 2, "parents": [-1, 1], "distance": 1})", "parents");
  pooled(R"({"kind": "skeleton_conv", "outputs": 2, "parents": [], "distance": 1})", "parents");
  pooled(R"({"kind": "skeleton_conv", "outputs": 2, "parents": [-1, 0], "distance": -1})", "distance");
  pooled(R"({"kind": "skeleton_conv", "outputs": 2, "parents": [-1, 0], "distance": 1, "rate": 0})", "rate");
  refused(R"({"kind": "expand"}, {"kind": "to_rows", "joints": 2})", "works on 2 joints");
  refused(R"({"kind": "expand"}, {"kind": "columns", "first": 2, "count": 1000})", "count");
  refused(R"({"kind": "pool_level"}, {"kind": "expand"})", "inside of a contraction");
  refused(R"({"kind": "unpool_level"}, {"kind": "expand"})", "no finer level");
  refused(R"({"kind": "expand"}, {"kind": "unpool_level"})", "no finer level");
  refused(R"({"kind": "expand"}, {"kind": "pool_level"})", "ends on a coarser level");
  refused(R"({"kind": "expand"}, {"name": "p", "kind": "pool_level"}, {"kind": "join", "from": ["input", "p"]},
             {"kind": "unpool_level"})",
          "rows are not the same");
  refused(R"({"kind": "expand"}, {"kind": "pool_level"}, {"kind": "mesh_conv", "outputs": 2},
             {"kind": "unpool_level"})",
          "edges of the mesh");
  EXPECT_EQ(Network(kLevels).coarser_levels(), 2);
  EXPECT_TRUE(Network(kGlobal).answers_rows());
  EXPECT_FALSE(Network(kJoints).answers_rows());
}

// A layer of a random kind that reads one or two of the layers before it.
Json RandomLayer(int index, Random& random) {
  static const std::vector<Json> kinds = {
      {{"kind", "linear"}, {"outputs", 3}},
      {{"kind", "mesh_conv"}, {"outputs", 3}},
      {{"kind", "batch_norm"}},
      {{"kind", "elu"}},
      {{"kind", "softmax"}},
      {{"kind", "channel_max"}, {"channels", 2}},
      {{"kind", "contract"}, {"width", 2}},
      {{"kind", "contract"}},
      {{"kind", "expand"}},
      {{"kind", "expand"}},
      {{"kind", "skinning_pool"}, {"joints", 2}},
      {{"kind", "skinning_pool"}, {"joints", 2}, {"measured", true}},
      {{"kind", "skeleton_conv"}, {"outputs", 3}, {"parents", {-1, 0}}, {"distance", 1}},
      {{"kind", "chain_sum"}, {"parents", {-1, 0}}},
      {{"kind", "to_rows"}, {"joints", 2}},
      {{"kind", "columns"}, {"first", 0}, {"count", 1}},
      {{"kind", "join"}},
      {{"kind", "pool_level"}},
      {{"kind", "unpool_level"}},
      {{"kind", "graph_attention"}, {"heads", 1}, {"width", 2}, {"self", 1}}};
  Json layer = kinds[random.Below(static_cast<uint32_t>(kinds.size()))];
  Json from = Json::array();
  for (uint32_t k = 0; k <= random.Below(2); ++k) {
    // Mostly the layer before.
    const int source = random.Below(3) > 0 ? index - 1 : static_cast<int>(random.Below(index + 1)) - 1;
    from.push_back(source < 0 ? "input" : std::to_string(source));
  }
  layer["from"] = from;
  return layer;
}

TEST(DescribedNetwork, RandomDescriptionsWorkOrAreRefused) {
  const World world;
  const RowMatrix x = Noise(world.rows(), 3, 1);
  int sound = 0, merged = 0;
  for (uint64_t seed = 1; seed <= 6000; ++seed) {
    Random random(seed);
    Json description = {{"inputs", 3}, {"layers", Json::array()}};
    const int count = 2 + static_cast<int>(random.Below(6));
    for (int k = 0; k < count; ++k) description["layers"].push_back(RandomLayer(k, random));
    try {
      const DescribedNetwork network(description, "net.json");
      const std::vector<float> parameters = network.InitialParameters(random);
      const NetworkTrace trace = network.Forward(parameters, x, world.domain(), true);
      ASSERT_EQ(trace.output().rows(), network.answers_rows() ? world.rows() : 2) << description;
      ASSERT_EQ(trace.output().cols(), network.outputs()) << description;
      std::vector<float> gradient(parameters.size(), 0.0f);
      RowMatrix dx;
      network.Backward(parameters, trace, world.domain(), trace.output(), gradient, &dx);
      ASSERT_EQ(dx.rows(), x.rows());
      ASSERT_EQ(network.Evaluate(parameters, x, world.domain()),
                network.Forward(parameters, x, world.domain(), false).output());
      ++sound;
      merged += description.dump().find("expand") != std::string::npos ? 1 : 0;
    } catch (const InputError&) {
    }
  }
  EXPECT_GT(sound, 300);
  EXPECT_GT(merged, 20);
}

TEST(DescribedNetwork, WhatDoesNotFitIsRefused) {
  const World world;
  const DescribedNetwork network = Network(kDense);
  const std::vector<float> parameters = Parameters(network);
  const RowMatrix x = Noise(world.rows(), 3, 1);
  EXPECT_THROW(network.Evaluate(parameters, x, {}), UsageError);
  EXPECT_THROW(network.Evaluate(parameters, Noise(4, 3, 1), world.domain()), UsageError);
  EXPECT_THROW(network.Evaluate(parameters, Noise(world.rows(), 2, 1), world.domain()), UsageError);
  EXPECT_THROW(network.Evaluate(std::span(parameters).first(3), x, world.domain()), UsageError);
  const DescribedNetwork deep = Network(kLevels);
  Domain flat = world.domain();
  flat.coarser = flat.coarser.first(1);
  EXPECT_THROW(deep.Evaluate(Parameters(deep), x, flat), UsageError);
  flat.coarser = world.domain().coarser.last(1);
  EXPECT_THROW(deep.Evaluate(Parameters(deep), x, flat), UsageError);
}

}  // namespace
}  // namespace sinew::layers
