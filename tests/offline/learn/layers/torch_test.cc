// Layers and their gradients against libtorch: every layer written once more with its operations, in double, and
// differentiated by autograd. Finite differences see a slope that is wrong by what they themselves are off; this sees
// the digits that floats have.
#include <torch/torch.h>

// After torch, which has a macro of that name.
#undef CHECK
#include <gtest/gtest.h>

#include "sinew/offline/core/json.h"
#include "sinew/offline/learn/layers/activation.h"
#include "sinew/offline/learn/layers/described_network.h"
#include "sinew/offline/learn/layers/edge_contraction.h"
#include "sinew/offline/learn/layers/pooling.h"
#include "sinew/offline/learn/layers/segments.h"
#include "tests/offline/learn/layers/layer_checks.h"
#include "tests/support/mesh_families.h"

namespace sinew::layers {
namespace {

using torch::Tensor;
using torch::indexing::Slice;

constexpr double kTolerance = 1e-5;

Tensor ToTorch(const RowMatrix& m, bool slope = false) {
  const Tensor floats = torch::from_blob(const_cast<float*>(m.data()), {m.rows(), m.cols()});
  return floats.to(torch::kDouble).clone().requires_grad_(slope);
}

Tensor Indices(const std::vector<int>& values) {
  std::vector<int64_t> wide(values.begin(), values.end());
  return torch::from_blob(wide.data(), {static_cast<int64_t>(wide.size())}, torch::kLong).clone();
}

// Largest difference, relative to the largest entry where that is above 1.
double Difference(const RowMatrix& ours, const Tensor& theirs) {
  const Tensor exact = theirs.detach().contiguous();
  const double scale = std::max(1.0, exact.abs().max().item<double>());
  return (ToTorch(ours) - exact).abs().max().item<double>() / scale;
}

void Propagate(const Tensor& y, const RowMatrix& dy) { (y * ToTorch(dy)).sum().backward(); }

TEST(AgainstTorch, Activations) {
  const RowMatrix x = Noise(50, 7, 1) * 2, dy = Noise(50, 7, 2);
  const auto check = [&](ActivationKind kind, const std::function<Tensor(const Tensor&)>& theirs) {
    RowMatrix y(50, 7), dx = RowMatrix::Zero(50, 7);
    Activate({.kind = kind}, x, y);
    ActivateBackward({.kind = kind}, x, dy, dx);
    const Tensor tx = ToTorch(x, true), ty = theirs(tx);
    Propagate(ty, dy);
    EXPECT_LT(Difference(y, ty), kTolerance) << static_cast<int>(kind);
    EXPECT_LT(Difference(dx, tx.grad()), kTolerance) << static_cast<int>(kind);
  };
  check(ActivationKind::kTanh, [](const Tensor& t) { return torch::tanh(t); });
  check(ActivationKind::kTanhShrink, [](const Tensor& t) { return t - torch::tanh(t); });
  check(ActivationKind::kElu, [](const Tensor& t) { return torch::elu(t); });
  check(ActivationKind::kLeakyRelu, [](const Tensor& t) { return torch::leaky_relu(t, 0.2); });
  check(ActivationKind::kRelu, [](const Tensor& t) { return torch::relu(t); });
}

TEST(AgainstTorch, Softmax) {
  const RowMatrix x = Noise(50, 7, 1), dy = Noise(50, 7, 2);
  RowMatrix y(50, 7), dx = RowMatrix::Zero(50, 7);
  RowSoftmax(x, y);
  RowSoftmaxBackward(y, dy, dx);
  const Tensor tx = ToTorch(x, true), ty = torch::softmax(tx, 1);
  Propagate(ty, dy);
  EXPECT_LT(Difference(y, ty), kTolerance);
  EXPECT_LT(Difference(dx, tx.grad()), kTolerance);
}

TEST(AgainstTorch, SkinningPool) {
  const RowMatrix weights = Noise(60, 5, 1).cwiseAbs(), x = Noise(60, 8, 2), dy = Noise(5, 8, 3);
  RowMatrix y(5, 8), dweights = RowMatrix::Zero(60, 5), dx = RowMatrix::Zero(60, 8);
  SkinningPool(weights, x, y);
  Rows dweights_rows(dweights), dx_rows(dx);
  SkinningPoolBackward(weights, x, y, dy, &dweights_rows, &dx_rows);
  const Tensor tw = ToTorch(weights, true), tx = ToTorch(x, true);
  const Tensor ty = tw.t().matmul(tx) / tw.sum(0).unsqueeze(1);
  Propagate(ty, dy);
  EXPECT_LT(Difference(y, ty), kTolerance);
  EXPECT_LT(Difference(dweights, tw.grad()), kTolerance);
  EXPECT_LT(Difference(dx, tx.grad()), kTolerance);
}

// A described network in libtorch, layer by layer, from the same flat parameters.
class TorchNetwork {
 public:
  TorchNetwork(const DescribedNetwork& network, const std::vector<float>& parameters, const Domain& domain)
      : domain_(domain) {
    for (const TensorPlace& place : network.tensors()) {
      const RowMatrix values = Eigen::Map<const RowMatrix>(parameters.data() + place.offset, place.rows, place.columns);
      tensors_[place.name] = ToTorch(values, place.trained);
    }
  }
  Tensor operator[](const std::string& name) const { return tensors_.at(name); }

  Tensor Linear(const std::string& name, const Tensor& x) const {
    const Tensor y = x.matmul(tensors_.at(name + ".weight"));
    return tensors_.count(name + ".bias") > 0 ? y + tensors_.at(name + ".bias") : y;
  }

  Tensor BatchNorm(const std::string& name, const Tensor& x, bool training) {
    const Tensor mean = (*this)[name + ".mean"].view({-1}), variance = (*this)[name + ".variance"].view({-1});
    return torch::batch_norm(x, (*this)[name + ".gamma"].view({-1}), (*this)[name + ".beta"].view({-1}), mean, variance,
                             training, kBatchNormMomentum, kBatchNormEpsilon, false);
  }

  // Eqs. 5 and 6, over a dense matrix of all pairs of nodes with minus infinity where there is no edge.
  Tensor Attention(const std::string& name, const Tensor& x) const {
    const Tensor target = (*this)[name + ".target"], source = (*this)[name + ".source"];
    const int64_t n = x.size(0), heads = target.size(0), width = target.size(1);
    const Tensor U = x.matmul((*this)[name + ".W"]).view({n, heads, width});
    const Tensor s = (U * target).sum(2).t(), t = (U * source).sum(2).t();  // heads by nodes
    const Tensor scores = torch::leaky_relu(s.unsqueeze(2) + t.unsqueeze(1), kAttentionSlope) + Mask(n);
    const Tensor y = torch::softmax(scores, 2).bmm(U.transpose(0, 1)).transpose(0, 1).reshape({n, heads * width});
    return tensors_.count(name + ".H") > 0 ? torch::cat({y, x.matmul((*this)[name + ".H"])}, 1) : y;
  }

  Tensor MeshConv(const std::string& name, const Tensor& x) const {
    const Tensor padded = torch::cat({x, torch::zeros({1, x.size(1)}, torch::kDouble)}, 0);
    std::vector<int> columns[4];
    for (const std::array<int, 4>& ring : domain_.rings->rings) {
      for (int k = 0; k < 4; ++k) columns[k].push_back(ring[k] < 0 ? static_cast<int>(x.size(0)) : ring[k]);
    }
    const auto of = [&](int k) { return padded.index_select(0, Indices(columns[k])); };
    const Tensor features =
        torch::cat({x, of(0) + of(2), of(1) + of(3), (of(0) - of(2)).abs(), (of(1) - of(3)).abs()}, 1);
    return Linear(name, features);
  }

 private:
  Tensor Mask(int64_t n) const {
    Tensor mask = torch::full({n, n}, -INFINITY, torch::kDouble);
    for (int i = 0; i < domain_.graph->node_count(); ++i) {
      for (const int j : domain_.graph->neighbours[i]) mask[i][j] = 0;
    }
    return mask;
  }

  Domain domain_;
  std::map<std::string, Tensor> tensors_;
};

Tensor ChannelMaxOf(const Tensor& x, int64_t channels) {
  const Tensor most = std::get<0>(x.index({Slice(), Slice(0, channels)}).max(0, true)).expand({x.size(0), channels});
  return torch::cat({most, x.index({Slice(), Slice(channels)})}, 1);
}

struct World {
  EdgeRings rings;
  Graph graph;
  World() {
    const TriMesh mesh = testing::Grid(5, 4);
    rings = RingsOf(BuildEdges(mesh.triangles, mesh.vertex_count()));
    graph = MakeGraph(rings.edge_count(), RingEdges(rings.edge_count()), true);
  }
  Domain domain() const { return {&graph, &rings}; }
};

// Output, gradient of the input and gradients of all tensors, in training and in inference.
void ExpectSameAsTorch(const std::string& text,
                       const std::function<Tensor(TorchNetwork&, const Tensor&, bool)>& theirs) {
  const World world;
  const DescribedNetwork network(ParseJson(text, "net"), "net");
  Random random(3);
  const std::vector<float> parameters = network.InitialParameters(random);
  const RowMatrix x = Noise(world.rings.edge_count(), network.inputs(), 1);
  const RowMatrix dy = Noise(x.rows(), network.outputs(), 2);
  for (const bool training : {true, false}) {
    const NetworkTrace trace = network.Forward(parameters, x, world.domain(), training);
    std::vector<float> gradient(parameters.size(), 0.0f);
    RowMatrix dx;
    network.Backward(parameters, trace, world.domain(), dy, gradient, &dx);
    TorchNetwork oracle(network, parameters, world.domain());
    const Tensor tx = ToTorch(x, true), ty = theirs(oracle, tx, training);
    Propagate(ty, dy);
    EXPECT_LT(Difference(trace.output(), ty), kTolerance);
    EXPECT_LT(Difference(dx, tx.grad()), kTolerance);
    for (const TensorPlace& place : network.tensors()) {
      if (!place.trained) continue;
      const RowMatrix own = Eigen::Map<const RowMatrix>(gradient.data() + place.offset, place.rows, place.columns);
      EXPECT_LT(Difference(own, oracle[place.name].grad()), kTolerance) << place.name;
    }
    // Stored statistics, which batch_norm() has moved in place.
    std::vector<float> moved = parameters;
    if (training) network.UpdateStatistics(trace, moved);
    for (const TensorPlace& place : network.tensors()) {
      if (place.trained) continue;
      const RowMatrix own = Eigen::Map<const RowMatrix>(moved.data() + place.offset, place.rows, place.columns);
      EXPECT_LT(Difference(own, oracle[place.name]), kTolerance) << place.name;
    }
  }
}

TEST(AgainstTorch, PerceptronWithBatchNorm) {
  ExpectSameAsTorch(R"({"inputs": 9, "layers": [{"name": "a", "kind": "linear", "outputs": 24},
                        {"name": "n", "kind": "batch_norm"}, {"kind": "tanh"},
                        {"name": "b", "kind": "linear", "outputs": 3}]})",
                    [](TorchNetwork& net, const Tensor& x, bool training) {
                      return net.Linear("b", torch::tanh(net.BatchNorm("n", net.Linear("a", x), training)));
                    });
}

TEST(AgainstTorch, DenselyConnectedGraphAttention) {
  ExpectSameAsTorch(R"({"inputs": 6, "layers": [{"name": "f", "kind": "linear", "outputs": 8},
                        {"name": "g1", "kind": "graph_attention", "heads": 4, "width": 5, "self": 6},
                        {"name": "e1", "kind": "elu"},
                        {"name": "g2", "kind": "graph_attention", "from": ["f", "e1"], "heads": 2, "width": 8, "self": 0},
                        {"name": "e2", "kind": "tanhshrink"},
                        {"name": "out", "kind": "linear", "from": ["f", "e1", "e2"], "outputs": 3, "bias": false}]})",
                    [](TorchNetwork& net, const Tensor& x, bool) {
                      const Tensor f = net.Linear("f", x), e1 = torch::elu(net.Attention("g1", f));
                      const Tensor g2 = net.Attention("g2", torch::cat({f, e1}, 1));
                      return net.Linear("out", torch::cat({f, e1, g2 - torch::tanh(g2)}, 1));
                    });
}

TEST(AgainstTorch, MeshConvolutions) {
  ExpectSameAsTorch(R"({"inputs": 3, "layers": [{"name": "c1", "kind": "mesh_conv", "outputs": 10},
                        {"kind": "leaky_relu"}, {"kind": "channel_max", "channels": 2},
                        {"name": "c2", "kind": "mesh_conv", "outputs": 6}, {"kind": "softmax"}]})",
                    [](TorchNetwork& net, const Tensor& x, bool) {
                      const Tensor h = ChannelMaxOf(torch::leaky_relu(net.MeshConv("c1", x), 0.2), 2);
                      return torch::softmax(net.MeshConv("c2", h), 1);
                    });
}

TEST(AgainstTorch, PoolingAndUnpooling) {
  std::vector<float> scores;
  for (int e = 0; e < 38; ++e) scores.push_back(0.2f + 0.02f * static_cast<float>((e * 7) % 11));
  const Contraction contraction = ContractEdges(20, RingEdges(20), scores);
  const int coarse = contraction.coarse_count();
  const RowMatrix x = Noise(20, 5, 1), dy = Noise(20, 5, 2);
  RowMatrix pooled(coarse, 5), y(20, 5), dpooled = RowMatrix::Zero(coarse, 5), dx = RowMatrix::Zero(20, 5);
  RowMatrix dalpha = RowMatrix::Zero(1, coarse);
  const std::span<float> dalpha_span(dalpha.data(), static_cast<size_t>(coarse));
  Pool(contraction, x, pooled);
  Unpool(contraction, pooled.cwiseAbs2(), y);
  RowMatrix dsquare = RowMatrix::Zero(coarse, 5);
  UnpoolBackward(contraction, pooled.cwiseAbs2(), dy, dsquare, dalpha_span);
  dpooled = 2 * pooled.cwiseProduct(dsquare);
  PoolBackward(contraction, x, dpooled, dx, dalpha_span);

  const RowMatrix alpha = Eigen::Map<const RowMatrix>(contraction.alpha.data(), coarse, 1);
  const Tensor tx = ToTorch(x, true), ta = ToTorch(alpha, true), map = Indices(contraction.coarse_of);
  const Tensor sums = torch::zeros({coarse, 5}, torch::kDouble).index_add(0, map, tx);
  const Tensor ty = ((ta * sums).square() / ta).index_select(0, map);
  Propagate(ty, dy);
  EXPECT_LT(Difference(y, ty), kTolerance);
  EXPECT_LT(Difference(dx, tx.grad()), kTolerance);
  EXPECT_LT(Difference(dalpha, ta.grad().t()), kTolerance);
}

}  // namespace
}  // namespace sinew::layers
