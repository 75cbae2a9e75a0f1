#include "sinew/offline/learn/layers/shape_loss.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/learn/layers/described_network.h"
#include "sinew/offline/learn/layers/torch_layers.h"

namespace sinew::layers {
namespace {

bool TorchIsBuilt() {
  const auto here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  return std::filesystem::exists(here / "libsinew_torch.so");
}

std::span<const float> All(const RowMatrix& rows) { return {rows.data(), static_cast<size_t>(rows.size())}; }

RowMatrix AtRest(int joints) {
  RowMatrix rotations = RowMatrix::Zero(joints, 9);
  for (const int k : {0, 4, 8}) rotations.col(k).setOnes();
  return rotations;
}

// Whatever the biases are.
TEST(JointNetworks, GiveNothingAtRestAndSeeTheirJointAlone) {
  const JointNetworks networks{.joints = 4, .widths = {5, 6, 3}, .slope = 0.2F};
  Random random(2);
  std::vector<float> parameters = networks.InitialParameters(random);
  ASSERT_EQ(parameters.size(), networks.parameter_count());
  EXPECT_EQ(parameters.size(), 4u * (10 * 5 + 6 * 6 + 7 * 3));
  for (float& value : parameters) value += 0.2F * static_cast<float>(random.Normal());
  RowMatrix rotations = AtRest(4);
  EXPECT_TRUE(networks.Coefficients(parameters, rotations).isZero(0));
  rotations.row(2) << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  const RowMatrix alpha = networks.Coefficients(parameters, rotations);
  for (int j = 0; j < 4; ++j) EXPECT_EQ(alpha.row(j).isZero(0), j != 2) << j;
  EXPECT_THROW(networks.Coefficients(parameters, rotations.topRows(3)), UsageError);
  parameters.pop_back();
  EXPECT_THROW(networks.Coefficients(parameters, rotations), UsageError);
}

TEST(AddedByShapes, IsTheSumOfMasksCoefficientsAndShapes) {
  RowMatrix masks(2, 2), B(2, 6), alpha(2, 2), expected(2, 3);
  masks << 1, 0.5F, 0, 1;
  alpha << 2, 0, 4, -1;
  B << 1, 0, 0, 0, 1, 0, 0, 0, 1, 3, 0, 0;
  expected << 4, -0.5F, 0, -3, 0, 4;
  EXPECT_LT((AddedByShapes(masks, B, alpha) - expected).cwiseAbs().maxCoeff(), 1e-6F);
}

TEST(VertexMeans, AreThoseOfTheEdgesThere) {
  const std::vector<std::array<int, 2>> ends = {{0, 1}, {1, 2}};
  RowMatrix edges(2, 1), expected(4, 1);
  edges << 2, 4;
  expected << 2, 3, 4, 0;  // the last vertex has no edge
  EXPECT_EQ(VertexMeans(ends, edges, 4), expected);
}

// Points of a ring that random shapes move in random poses: the same loss in both, and its gradient by differences.
TEST(ShapeLoss, IsThatOfLibtorch) {
  if (!TorchIsBuilt()) GTEST_SKIP() << "libsinew_torch.so is not built";
  constexpr int kPoints = 11, kBends = 3, kOwnShapes = 4, kPoses = 5;
  const JointNetworks networks{.joints = kBends, .widths = {6, 7, kOwnShapes}, .slope = 0.2F};
  const SinewTorchShapes plain = {kBends, kOwnShapes, {6, 7}, 0.2F, 1, 1.7};
  const DescribedNetwork network(
      Json::parse(R"({"inputs": 5, "layers": [{"kind": "linear", "outputs": 6}, {"kind": "leaky_relu"},
                      {"kind": "linear", "outputs": 12}]})"),
      "net");
  SinewTorchOptions options = {5, 0, 1, 0.9, 0.999, 1e-8, 0, 0.1, 0, 0, 0, nullptr, 1, &plain};
  learn::TorchTrainer trainer(ToTorch(network), options);
  Random random(4);
  const auto draw = [&random](Eigen::Index rows, Eigen::Index columns) {
    RowMatrix m(rows, columns);
    for (float& value : m.reshaped()) value = static_cast<float>(random.Normal());
    return m;
  };
  std::vector<float> parameters = network.InitialParameters(random);
  const std::vector<float> own = networks.InitialParameters(random);
  parameters.insert(parameters.end(), own.begin(), own.end());
  for (float& value : parameters) value += 0.1F * static_cast<float>(random.Normal());  // biases, too
  ASSERT_EQ(trainer.size(), parameters.size());
  const std::vector<float> nothing(parameters.size(), 0.0f);
  trainer.SetState({parameters, nothing, nothing});
  std::vector<std::array<int, 2>> pairs;
  std::vector<int> ends;
  for (int v = 0; v < kPoints; ++v) {
    pairs.push_back({v, (v + 2) % kPoints});
    ends.insert(ends.end(), {v, (v + 2) % kPoints});
  }
  const int mesh = trainer.AddMesh(std::vector<int>(kPoints + 1, 0), {});
  trainer.AddPoints(mesh, ends, kPoints);
  const RowMatrix features = draw(kPoints, 5);
  const int frame = trainer.AddFrame(mesh, All(features), {}, {});
  ShapeBody body{draw(kPoints, kBends).cwiseAbs(), {}};
  for (int v = 0; v < kPoints; ++v) body.shares.push_back(static_cast<float>(1 + v % 3) / 21.0f);
  trainer.AddMasks(frame, {All(body.masks), body.shares});
  std::vector<ShapePose> all;
  for (int p = 0; p < kPoses; ++p) {
    all.push_back({draw(kBends, 9), draw(kPoints, 9), draw(kPoints, 3)});
    EXPECT_EQ(trainer.AddPose(frame, {All(all[p].rotations), All(all[p].turns), All(all[p].off)}), p);
  }
  const std::vector<int> chosen = {3, 0, 3};
  const SinewTorchPoses poses = {nullptr, 0, chosen.data(), 3};
  const auto loss_of = [&](const std::vector<float>& values) {
    const std::span<const float> all_values(values);
    const RowMatrix edges = network.Evaluate(all_values.first(network.parameter_count()), features, {});
    const RowMatrix B = VertexMeans(pairs, edges, kPoints);
    const std::vector<ShapePose> looked = {all[3], all[0], all[3]};
    return ShapeLoss(networks, all_values.subspan(network.parameter_count()), body, looked, B, 1.7);
  };
  const double loss = loss_of(parameters);
  EXPECT_NEAR(trainer.Look(std::vector<int>{frame}, &poses)[0], loss, 1e-5 * loss);
  trainer.Step(std::vector<int>{frame}, 1, 0, &poses);
  const std::vector<float> moments = trainer.State().first_moments;
  double length = 0;
  for (const float moment : moments) length += double{moment} * moment;
  length = std::sqrt(length);
  // Along the gradient, and along it where only the joints' networks move.
  for (const size_t first : {size_t{0}, network.parameter_count()}) {
    constexpr double kMove = 1e-3;
    std::vector<float> up = parameters, down = parameters;
    double slope = 0;
    for (size_t k = first; k < moments.size(); ++k) {
      up[k] += static_cast<float>(kMove * moments[k] / length);
      down[k] -= static_cast<float>(kMove * moments[k] / length);
      slope += 10 * double{moments[k]} * moments[k] / length;
    }
    const double difference = (loss_of(up) - loss_of(down)) / (2 * kMove);
    EXPECT_GT(slope, 0);
    EXPECT_NEAR(difference, slope, 0.01 * slope) << first;
  }
}

}  // namespace
}  // namespace sinew::layers
