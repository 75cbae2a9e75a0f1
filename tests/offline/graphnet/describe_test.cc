#include "sinew/offline/graphnet/describe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "sinew/offline/core/error.h"
#include "sinew/offline/graphnet/torch_layers.h"
#include "sinew/offline/mesh/adjacency.h"
#include "sinew/offline/mesh/edges.h"
#include "tests/support/mesh_families.h"

namespace sinew::graphnet {
namespace {

using learn::RowMatrix;
using ::testing::HasSubstr;

constexpr int kInputs = 30;

bool TorchIsBuilt() {
  const auto here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  return std::filesystem::exists(here / "libsinew_torch.so");
}

TEST(DescribeNetwork, AllAreNetworks) {
  for (const std::string& name : NetworkNames()) {
    const layers::DescribedNetwork network(DescribeNetwork(name, kInputs), name);
    EXPECT_EQ(network.inputs(), kInputs);
    EXPECT_EQ(network.outputs(), 3);
    EXPECT_EQ(network.needs_graph(), name != "mlp");
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

TEST(DescribeNetwork, RefusesUnknownNames) {
  EXPECT_THAT([] { DescribeNetwork("smal", 3); }, ::testing::Throws<UsageError>(::testing::Property(
                                                      &UsageError::what, HasSubstr("the nearest is 'small'"))));
}

TEST(ToTorch, RefusesWhatTheLibraryDoesNotTrain) {
  const layers::DescribedNetwork network(Json::parse(R"({"inputs": 4, "layers": [{"kind": "softmax"}]})"), "net");
  EXPECT_THAT([&] { ToTorch(network); },
              ::testing::Throws<UsageError>(::testing::Property(&UsageError::what, HasSubstr("'softmax'"))));
}

// Inference without libtorch gives what libtorch gives, and its parameters are libtorch's in the same order.
TEST(ToTorch, BothEvaluateTheSame) {
  if (!TorchIsBuilt()) GTEST_SKIP() << "libsinew_torch.so is not built";
  const TriMesh mesh = sinew::testing::Torus();
  const int points = mesh.vertex_count();
  const Csr neighbours = VertexVertices(BuildEdges(mesh.triangles, points), points);
  std::vector<std::array<int, 2>> edges;
  for (int i = 0; i < points; ++i) {
    for (const int j : neighbours[i]) edges.push_back({i, j});
  }
  const layers::Graph graph = layers::MakeGraph(points, edges, true);
  for (const std::string& name : NetworkNames()) {
    const layers::DescribedNetwork network(DescribeNetwork(name, kInputs), name);
    Random random(3);
    std::vector<float> parameters = network.InitialParameters(random);
    for (float& value : parameters) value += static_cast<float>(random.Uniform(0, 0.1));
    SinewTorchOptions options = {};
    options.inputs = kInputs;
    options.threads = 1;
    learn::TorchTrainer trainer(ToTorch(network), options);
    ASSERT_EQ(trainer.size(), network.parameter_count()) << name;
    const std::vector<float> nothing(parameters.size(), 0.0f);
    trainer.SetState({parameters, nothing, nothing});

    const RowMatrix features = RowMatrix::Random(points, kInputs);
    const std::vector<float> targets(points * 3, 0.0f), weights(points, 1.0f);
    const int number = trainer.AddMesh(neighbours.offsets, neighbours.items);
    const int frame = trainer.AddFrame(number, std::span(features.data(), features.size()), targets, weights);
    const std::vector<float> theirs = trainer.Apply(frame, points);
    const RowMatrix ours = network.Evaluate(parameters, features, {.graph = &graph});
    const Eigen::Map<const RowMatrix> expected(theirs.data(), points, 3);
    EXPECT_LT((ours - expected).cwiseAbs().maxCoeff(), 1e-5f * expected.cwiseAbs().maxCoeff()) << name;
    EXPECT_GT(expected.cwiseAbs().maxCoeff(), 0.01f) << name;
  }
}

}  // namespace
}  // namespace sinew::graphnet
