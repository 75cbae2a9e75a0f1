// torch_bench DEFORMER [--rounds N]: the networks of a deformer as the runtime evaluates them, in 32-bit floats,
// against the same networks in libtorch, both on one thread, level by level; and how far apart their answers are.
#include <torch/torch.h>

// After torch, which has a macro of that name.
#undef CHECK
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "bench/harness.h"
#include "sinew/offline/bake/bundle_builder.h"
#include "sinew/offline/multires/deformer_file.h"
#include "sinew/runtime/net/network.h"

namespace {

using namespace sinew;

torch::Tensor Copy(const Eigen::MatrixXf& matrix) {
  // libtorch's rows are what Eigen's columns are.
  return torch::from_blob(const_cast<float*>(matrix.data()), {matrix.cols(), matrix.rows()}).t().contiguous();
}

torch::Tensor Copy(const Eigen::VectorXf& vector) {
  return torch::from_blob(const_cast<float*>(vector.data()), {vector.size()}).clone();
}

struct TorchNetwork {
  torch::Tensor W1, b1, W2, b2, W3, b3, x;

  TorchNetwork(const Network& n, const std::vector<float>& inputs)
      : W1(Copy(n.W1)),
        b1(Copy(n.b1)),
        W2(Copy(n.W2)),
        b2(Copy(n.b2)),
        W3(Copy(n.W3)),
        b3(Copy(n.b3)),
        x(torch::from_blob(const_cast<float*>(inputs.data()), {n.inputs()}).clone()) {}

  torch::Tensor Evaluate() const {
    return torch::addmv(b3, W3, torch::addmv(b2, W2, torch::addmv(b1, W1, x).tanh_()).tanh_());
  }
};

// The networks of one level, both ways, on the same inputs.
class LevelNetworks {
 public:
  LevelNetworks(const LevelCorrectives& trained, const runtime::BundleLevel& level) : level_(level) {
    inputs_.resize(runtime::NetworkTable::kMaxWidth);
    for (size_t i = 0; i < inputs_.size(); ++i) inputs_[i] = 0.3f * std::sin(static_cast<float>(3 * i + 1));
    outputs_.resize(static_cast<size_t>(level.coefficient_count()));
    for (const RegionCorrective& region : trained.regions) {
      torch_.emplace_back(region.network, inputs_);
      for (const Eigen::MatrixXf* modes : {&region.V, &region.own}) {
        // The runtime's modes are scaled to a longest component of 1, and its coefficients the other way.
        for (Eigen::Index m = 0; m < modes->cols(); ++m) scales_.push_back(modes->col(m).cwiseAbs().maxCoeff());
      }
    }
  }

  void RunSinew() {
    for (int n = 0; n < level_.networks.network_count(); ++n) {
      EvaluateNetwork(level_.networks, n, inputs_.data(), outputs_.data() + level_.networks.network(n).first_output);
    }
  }
  void RunTorch() {
    answers_.clear();
    for (const TorchNetwork& network : torch_) answers_.push_back(network.Evaluate());
  }
  // The largest difference, of the largest answer.
  double Apart() const {
    double apart = 0, most = 0;
    size_t at = 0;
    for (const torch::Tensor& answer : answers_) {
      for (int64_t m = 0; m < answer.size(0); ++m, ++at) {
        const double expected = static_cast<double>(answer.data_ptr<float>()[m]) * scales_[at];
        apart = std::max(apart, std::abs(outputs_[at] - expected));
        most = std::max(most, std::abs(expected));
      }
    }
    return most > 0 ? apart / most : 0;
  }

 private:
  const runtime::BundleLevel& level_;
  std::vector<float> inputs_, outputs_, scales_;
  std::vector<TorchNetwork> torch_;
  std::vector<torch::Tensor> answers_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: torch_bench DEFORMER [--rounds N]\n");
    return 2;
  }
  const int rounds = argc > 3 && std::strcmp(argv[2], "--rounds") == 0 ? std::atoi(argv[3]) : 31;
  at::globalContext().setUserEnabledMkldnn(false);
  at::set_num_threads(1);
  const c10::InferenceMode inference;
  const TrainedCharacter trained = ReadDeformer(argv[1]);
  const BakedBundle baked =
      BuildBundle(trained.hierarchy, trained.deformer, {}, {.precision = runtime::Precision::kF32, .normals = false});
  fmt::print("{:>5} {:>9} {:>14} {:>14} {:>7} {:>10}\n", "level", "networks", "sinew", "libtorch", "ratio", "apart");
  double sinew = 0, torch = 0;
  for (int i = 1; i <= baked.bundle.level_count(); ++i) {
    const runtime::BundleLevel& level = baked.bundle.level(i);
    if (level.coefficient_count() == 0) continue;
    LevelNetworks both(trained.deformer.levels[i - 1], level);
    const std::vector<bench::Measurement> times = bench::Measure(
        {{"sinew", [&] { both.RunSinew(); }, nullptr}, {"libtorch", [&] { both.RunTorch(); }, nullptr}}, rounds);
    fmt::print("{:>5} {:>9} {:>11.1f} us {:>11.1f} us {:>7.1f} {:>10.1e}\n", i, level.networks.network_count(),
               times[0].median_ns / 1e3, times[1].median_ns / 1e3, times[1].median_ns / times[0].median_ns,
               both.Apart());
    sinew += times[0].median_ns;
    torch += times[1].median_ns;
  }
  fmt::print("{:>5} {:>9} {:>11.1f} us {:>11.1f} us {:>7.1f}\n", "all", "", sinew / 1e3, torch / 1e3, torch / sinew);
  return 0;
}
