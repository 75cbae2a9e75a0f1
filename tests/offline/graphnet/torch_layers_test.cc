// Described networks in libsinew_torch and in plain C++: outputs, gradients and statistics are the same. Skipped where
// the library is not built.
#include "sinew/offline/learn/layers/torch_layers.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "sinew/offline/graphnet/coarser_levels.h"
#include "sinew/offline/graphnet/describe.h"
#include "sinew/offline/mesh/adjacency.h"
#include "sinew/offline/mesh/edges.h"
#include "tests/offline/learn/layers/small_rig_loss.h"
#include "tests/support/mesh_families.h"

namespace sinew::graphnet {
namespace {

using layers::DescribedNetwork;
using learn::RowMatrix;

constexpr float kTolerance = 1e-5f;

bool TorchIsBuilt() {
  const auto here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  return std::filesystem::exists(here / "libsinew_torch.so");
}

// A mesh for a network on its points, or on its edges.
struct World {
  Csr neighbours;
  layers::Graph graph;
  layers::EdgeRings rings;
  std::vector<layers::CoarserGraph> coarser;
  std::vector<layers::EdgeRings> wide = {};
  layers::Domain domain() const { return {.graph = &graph, .rings = &rings, .coarser = coarser, .wide = wide}; }
  int rows() const { return neighbours.row_count(); }

  static World Points(const TriMesh& mesh) {
    World world;
    const int points = mesh.vertex_count();
    world.neighbours = VertexVertices(BuildEdges(mesh.triangles, points), points);
    std::vector<std::array<int, 2>> edges;
    for (int i = 0; i < points; ++i) {
      for (const int j : world.neighbours[i]) edges.push_back({i, j});
    }
    world.graph = layers::MakeGraph(points, edges, true);
    std::vector<float> areas;
    for (int i = 0; i < points; ++i) areas.push_back(static_cast<float>(1 + i % 4));
    world.coarser = MakeCoarserLevels(world.graph, mesh.positions, areas, 3);
    return world;
  }
  static World Edges(const TriMesh& mesh) {
    World world;
    world.rings = layers::RingsOf(BuildEdges(mesh.triangles, mesh.vertex_count()));
    world.neighbours.offsets.assign(world.rings.edge_count() + 1, 0);
    // Any edges will do: here those around the last one of the own ring.
    std::vector<std::array<int, 4>> further;
    for (const std::array<int, 4>& ring : world.rings.rings) {
      further.push_back(ring[3] < 0 ? ring : world.rings.rings[ring[3]]);
    }
    world.wide = {world.rings, layers::MakeEdgeRings(further)};
    return world;
  }
  int AddTo(learn::TorchTrainer& trainer) const {
    std::vector<Csr> graphs = {neighbours};
    for (const layers::CoarserGraph& level : coarser) {
      graphs.push_back(BuildCsr(level.graph.node_count(), [&](const auto& put) {
        for (int entry = 0; entry < level.graph.entry_count(); ++entry) {
          const int i = level.graph.row_of[entry], j = level.graph.neighbours.items[entry];
          if (i != j) put(i, j);
        }
      }));
    }
    const std::vector<int> flat = FlatRings();
    std::vector<learn::TorchLevel> levels;
    for (size_t k = 0; k < graphs.size(); ++k) {
      levels.push_back({.starts = graphs[k].offsets, .neighbours = graphs[k].items});
      if (k < coarser.size()) levels.back().coarser = coarser[k].coarse_of;
      if (k < coarser.size()) levels.back().shares = coarser[k].shares;
    }
    levels[0].rings = flat;
    return trainer.AddMesh(levels);
  }
  std::vector<int> FlatRings() const {
    std::vector<int> flat;
    const auto add = [&](const layers::EdgeRings& set) {
      for (const std::array<int, 4>& ring : set.rings) flat.insert(flat.end(), ring.begin(), ring.end());
    };
    add(rings);
    for (const layers::EdgeRings& set : wide) add(set);
    return flat;
  }
};

std::span<const float> All(const RowMatrix& rows) { return {rows.data(), static_cast<size_t>(rows.size())}; }

// Largest difference, relative to the largest number.
float Difference(std::span<const float> ours, std::span<const float> theirs) {
  float largest = 0, difference = 0;
  for (size_t k = 0; k < ours.size(); ++k) {
    largest = std::max(largest, std::abs(theirs[k]));
    difference = std::max(difference, std::abs(ours[k] - theirs[k]));
  }
  EXPECT_GT(largest, 1e-3f);
  return difference / largest;
}

// Gives the same frames to both, one per world, and compares what they make of them.
class Comparison {
 public:
  Comparison(const Json& description, std::vector<World> worlds, int output_rows)
      : network_(description, "net"), worlds_(std::move(worlds)), trainer_(layers::ToTorch(network_), Options()) {
    Random random(3);
    parameters_ = network_.InitialParameters(random);
    for (float& value : parameters_) value += static_cast<float>(random.Uniform(0, 0.1));
    const std::vector<float> nothing(parameters_.size(), 0.0f);
    EXPECT_EQ(trainer_.size(), network_.parameter_count());
    trainer_.SetState({parameters_, nothing, nothing});
    std::srand(1);  // Eigen's random numbers
    for (const World& world : worlds_) {
      const int rows = output_rows > 0 ? output_rows : world.rows();
      features_.push_back(RowMatrix::Random(world.rows(), network_.inputs()));
      targets_.push_back(RowMatrix::Random(rows, network_.outputs()));
      const int mesh = world.AddTo(trainer_);
      frames_.push_back(
          trainer_.AddFrame(mesh, All(features_.back()), All(targets_.back()), std::vector<float>(rows, 1.0f)));
    }
  }

  void Outputs() const {
    for (size_t k = 0; k < worlds_.size(); ++k) {
      const RowMatrix ours = network_.Evaluate(parameters_, features_[k], worlds_[k].domain());
      EXPECT_LT(Difference(All(ours), trainer_.Apply(frames_[k], static_cast<int>(ours.rows()))), kTolerance);
    }
  }

  // A step without a rate leaves a tenth of the gradient in the first moments, and new statistics. With statistics
  // there may be only one world, since a step takes those of all of its frames together.
  void Gradients() {
    std::vector<float> gradient(parameters_.size(), 0.0f), moved = parameters_;
    for (size_t k = 0; k < worlds_.size(); ++k) {
      const layers::NetworkTrace trace = network_.Forward(parameters_, features_[k], worlds_[k].domain(), true);
      const float share = 2 / static_cast<float>(targets_[k].rows() * static_cast<Eigen::Index>(worlds_.size()));
      const RowMatrix dy = (trace.output() - targets_[k]) * share;
      network_.Backward(parameters_, trace, worlds_[k].domain(), dy, gradient);
      network_.UpdateStatistics(trace, moved);
    }
    trainer_.Step(frames_, 1, 0);
    learn::TorchState state = trainer_.State();
    for (float& value : state.first_moments) value *= 10;
    EXPECT_LT(Difference(gradient, state.first_moments), kTolerance);
    EXPECT_LT(Difference(moved, state.values), kTolerance);
  }

 private:
  SinewTorchOptions Options() const {
    return {.inputs = network_.inputs(),
            .cuda = 0,
            .threads = 1,
            .beta1 = 0.9,
            .beta2 = 0.999,
            .epsilon = 1e-8,
            .decay = 0,
            .momentum = layers::kBatchNormMomentum,
            .huber = 0,
            .edges = 0,
            .shared = 0,
            .rig = nullptr,
            .rig_alone = 0,
            .shapes = nullptr};
  }

  DescribedNetwork network_;
  std::vector<World> worlds_;
  learn::TorchTrainer trainer_;
  std::vector<float> parameters_;
  std::vector<RowMatrix> features_, targets_;
  std::vector<int> frames_;
};

void Compare(const std::string& description, std::vector<World> worlds, int output_rows = 0) {
  Comparison comparison(Json::parse(description), std::move(worlds), output_rows);
  comparison.Outputs();
  comparison.Gradients();
}

std::vector<World> TwoOfEdges() {
  return {World::Edges(sinew::testing::Grid(5, 4)), World::Edges(sinew::testing::Torus())};
}

class BothDoTheSame : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!TorchIsBuilt()) GTEST_SKIP() << "libsinew_torch.so is not built";
  }
};

TEST_F(BothDoTheSame, AllNamedNetworks) {
  for (const std::string& name : NetworkNames()) {
    SCOPED_TRACE(name);
    Comparison comparison(DescribeNetwork(name, 30), {World::Points(sinew::testing::Torus())}, 0);
    comparison.Outputs();
    comparison.Gradients();
  }
}

TEST_F(BothDoTheSame, ConvolutionsOnEdges) {
  Compare(R"({"inputs": 3, "layers": [{"kind": "mesh_conv", "outputs": 10}, {"kind": "leaky_relu"},
              {"kind": "mesh_conv", "outputs": 4, "bias": false}]})",
          TwoOfEdges());
}

TEST_F(BothDoTheSame, ConvolutionsThatReachFurther) {
  Compare(R"({"inputs": 3, "layers": [{"kind": "mesh_conv", "outputs": 10, "reach": 2}, {"kind": "leaky_relu"},
              {"kind": "mesh_conv", "outputs": 4, "reach": 1}, {"kind": "mesh_conv", "outputs": 4}]})",
          TwoOfEdges());
}

TEST_F(BothDoTheSame, VotesOfEdges) {
  Compare(R"({"inputs": 5, "layers": [{"kind": "linear", "outputs": 8},
              {"kind": "vote_pool", "points": 2, "spread_scale": 0.3}]})",
          TwoOfEdges());
}

TEST_F(BothDoTheSame, RowSoftmax) {
  Compare(R"({"inputs": 5, "layers": [{"kind": "linear", "outputs": 6}, {"kind": "softmax"}]})", TwoOfEdges());
}

// Over the rows of each mesh, not of all meshes of a step.
TEST_F(BothDoTheSame, MaximaOfChannels) {
  Compare(R"({"inputs": 5, "layers": [{"kind": "linear", "outputs": 6}, {"kind": "channel_max", "channels": 2},
              {"kind": "linear", "outputs": 3}]})",
          TwoOfEdges());
}

TEST_F(BothDoTheSame, PoolingByWeights) {
  Compare(R"({"inputs": 5, "layers": [{"kind": "linear", "outputs": 4}, {"name": "skin", "kind": "softmax"},
              {"name": "x", "kind": "linear", "from": ["input"], "outputs": 6},
              {"kind": "skinning_pool", "from": ["skin", "x"], "joints": 4}, {"kind": "elu"},
              {"kind": "linear", "outputs": 3}]})",
          TwoOfEdges(), 4);
}

// A rig from weights, counted by a channel, along the tree and back to all rows.
TEST_F(BothDoTheSame, RigsOfBodies) {
  Compare(R"({"inputs": 5, "layers": [{"name": "see", "kind": "columns", "first": 1, "count": 3},
              {"name": "w", "kind": "mesh_conv", "outputs": 4}, {"name": "skin", "kind": "softmax"},
              {"name": "x", "kind": "linear", "from": ["see"], "outputs": 6},
              {"kind": "softmax", "from": ["input"]}, {"name": "size", "kind": "columns", "first": 0, "count": 1},
              {"kind": "skinning_pool", "from": ["size", "skin", "x"], "joints": 4, "measured": true},
              {"kind": "skeleton_conv", "outputs": 5, "parents": [-1, 0, 1, 0], "distance": 1}, {"kind": "elu"},
              {"kind": "skeleton_conv", "outputs": 3, "parents": [-1, 0, 1, 0], "distance": 2},
              {"kind": "chain_sum", "parents": [-1, 0, 1, 0]}, {"name": "places", "kind": "to_rows", "joints": 4},
              {"kind": "join", "from": ["skin", "places"]}]})",
          TwoOfEdges());
}

// The loss of a rig and its gradient, through a network whose answer is its bias, and so the gradient of all rows.
TEST_F(BothDoTheSame, LossesOfRigs) {
  for (const int influences : {0, 2}) {
    const layers::SmallRig rig;
    const DescribedNetwork network(Json::parse(R"({"inputs": 16, "layers": [{"kind": "linear", "outputs": 16}]})"),
                                   "net");
    const std::vector<float> means(rig.options.means.begin(), rig.options.means.end());
    const SinewTorchRig plain = {4, rig.options.parents.data(), means.data(), 0.3, 1.5, 1, 2, 0.5,
                                 2, rig.options.poses.data()};
    learn::TorchTrainer trainer(layers::ToTorch(network), {.inputs = 16,
                                                           .cuda = 0,
                                                           .threads = 1,
                                                           .beta1 = 0.9,
                                                           .beta2 = 0.999,
                                                           .epsilon = 1e-8,
                                                           .decay = 0,
                                                           .momentum = 0.1,
                                                           .huber = 0,
                                                           .edges = 0,
                                                           .shared = 0,
                                                           .rig = &plain,
                                                           .rig_alone = 1,
                                                           .shapes = nullptr});
    // The identity: what the network answers is its input.
    std::vector<float> parameters(network.parameter_count(), 0.0f);
    for (int k = 0; k < 16; ++k) parameters[16 * k + k] = 1;
    const std::vector<float> nothing(parameters.size(), 0.0f);
    trainer.SetState({parameters, nothing, nothing});
    const RowMatrix answer = rig.OtherAnswer();
    const auto rows = static_cast<int>(answer.rows());
    const int mesh = trainer.AddMesh(std::vector<int>(rows + 1, 0), {});
    std::vector<int> ends;
    for (const auto& [a, b] : rig.truth.ends) ends.insert(ends.end(), {a, b});
    trainer.AddPoints(mesh, ends, static_cast<int>(rig.truth.points.rows()));
    const int frame = trainer.AddFrame(mesh, All(answer), {}, {});
    trainer.AddRig(frame, {All(rig.truth.points), All(rig.truth.weights), rig.truth.shares, All(rig.truth.joints)});
    std::vector<float> rotations;
    for (const RowMatrix& pose : rig.poses) rotations.insert(rotations.end(), pose.data(), pose.data() + pose.size());
    const SinewTorchPoses poses = {rotations.data(), influences, nullptr, 0};

    layers::RigLossOptions options = rig.options;
    options.influences = influences;
    RowMatrix gradient;
    const double loss = layers::RigLoss(options, rig.truth, answer, rig.poses, &gradient);
    EXPECT_NEAR(trainer.Look(std::vector<int>{frame}, &poses)[0], loss, 1e-4 * loss);
    trainer.Step(std::vector<int>{frame}, 1, 0, &poses);
    const learn::TorchState state = trainer.State();
    const RowMatrix ours = answer.transpose() * gradient;  // of the matrix
    std::vector<float> theirs(state.first_moments.begin(), state.first_moments.begin() + 256);
    for (float& value : theirs) value *= 10;
    EXPECT_LT(Difference(All(ours), theirs), 1e-4f);
  }
}

// Layers move by the learning rate times their own factor.
TEST_F(BothDoTheSame, RatesOfLayers) {
  const auto moved = [](double rate) {
    Json json = Json::parse(R"({"inputs": 2, "layers": [{"kind": "linear", "outputs": 1, "bias": false}]})");
    json["layers"][0]["rate"] = rate;
    const DescribedNetwork network(json, "net");
    learn::TorchTrainer trainer(layers::ToTorch(network),
                                {2, 0, 1, 0.9, 0.999, 1e-8, 0, 0.1, 0, 0, 0, nullptr, 0, nullptr});
    trainer.SetState({{0, 0}, {0, 0}, {0, 0}});
    const int mesh = trainer.AddMesh(std::vector<int>{0, 0}, {});
    const int frame = trainer.AddFrame(mesh, std::vector<float>{1, 2}, std::vector<float>{1}, std::vector<float>{1});
    trainer.Step(std::vector<int>{frame}, 1, 0.125);
    return trainer.State().values[0];
  };
  EXPECT_NEAR(moved(1), 0.125, 1e-5);
  EXPECT_NEAR(moved(0.25), 0.125 / 4, 1e-5);
}

// Blocks inside of a contraction whose scores have a matrix of their own, and a maximum there, on two meshes at once.
TEST_F(BothDoTheSame, Contractions) {
  Compare(R"({"inputs": 5, "layers": [{"name": "f", "kind": "linear", "outputs": 6},
              {"name": "pool", "kind": "contract", "width": 4},
              {"kind": "graph_attention", "heads": 2, "width": 3, "self": 4}, {"kind": "channel_max", "channels": 2},
              {"name": "back", "kind": "expand"},
              {"kind": "linear", "from": ["f", "back"], "outputs": 3}]})",
          {World::Points(sinew::testing::Grid(7, 6)), World::Points(sinew::testing::Torus())});
}

// Pooling along maps of two levels, on two meshes at once.
TEST_F(BothDoTheSame, Levels) {
  Compare(R"({"inputs": 5, "layers": [{"name": "f", "kind": "linear", "outputs": 6}, {"kind": "pool_level"},
              {"name": "g", "kind": "graph_attention", "heads": 2, "width": 3, "self": 4}, {"kind": "pool_level"},
              {"kind": "graph_attention", "heads": 1, "width": 4, "self": 2}, {"name": "up", "kind": "unpool_level"},
              {"kind": "linear", "from": ["g", "up"], "outputs": 6}, {"name": "back", "kind": "unpool_level"},
              {"kind": "linear", "from": ["f", "back"], "outputs": 3}]})",
          {World::Points(sinew::testing::Grid(7, 6)), World::Points(sinew::testing::Torus())});
}

// The skinning block of neural blend shapes in small.
TEST_F(BothDoTheSame, SkinningBlock) {
  Compare(R"({"inputs": 3, "layers": [{"kind": "mesh_conv", "outputs": 10}, {"kind": "leaky_relu"},
              {"kind": "channel_max", "channels": 2}, {"kind": "mesh_conv", "outputs": 15}, {"kind": "leaky_relu"},
              {"kind": "channel_max", "channels": 3}, {"kind": "mesh_conv", "outputs": 4}, {"kind": "softmax"}]})",
          TwoOfEdges());
}

}  // namespace
}  // namespace sinew::graphnet
