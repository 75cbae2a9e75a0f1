// torch_bench DEFORMER [--rounds N]: the networks of a deformer as the runtime evaluates them, baked in each precision,
// against the same networks in libtorch (32-bit floats, the narrowest that it has for these on a CPU), one pose, all on
// one thread, level by level; and how far apart the answers in 32-bit floats are.
#include <torch/torch.h>

// After torch, which has a macro of that name.
#undef CHECK
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "bench/harness.h"
#include "sinew/offline/bake/bundle_builder.h"
#include "sinew/offline/deformer/deformer_file.h"
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

// With memory for all that it makes, so that evaluating allocates nothing.
struct TorchNetwork {
  torch::Tensor W1, b1, W2, b2, W3, b3, x;
  mutable torch::Tensor first, second, z;

  TorchNetwork(const learn::Network& n, const std::vector<float>& inputs)
      : W1(Copy(n.W1)),
        b1(Copy(n.b1)),
        W2(Copy(n.W2)),
        b2(Copy(n.b2)),
        W3(Copy(n.W3)),
        b3(Copy(n.b3)),
        x(torch::from_blob(const_cast<float*>(inputs.data()), {n.inputs()}).clone()),
        first(torch::empty_like(b1)),
        second(torch::empty_like(b2)),
        z(torch::empty_like(b3)) {}

  const torch::Tensor& Evaluate() const {
    torch::addmv_out(first, b1, W1, x);
    first.tanh_();
    torch::addmv_out(second, b2, W2, first);
    second.tanh_();
    return torch::addmv_out(z, b3, W3, second);
  }
};

constexpr runtime::Precision kPrecisions[] = {runtime::Precision::kF32, runtime::Precision::kF16,
                                              runtime::Precision::kI8};

// The networks of one level by the runtime.
class RuntimeNetworks {
 public:
  RuntimeNetworks(const runtime::BundleLevel& level, const std::vector<float>& inputs)
      : networks_(level.networks), inputs_(inputs), outputs_(static_cast<size_t>(level.coefficient_count())) {}

  void Run() {
    for (int n = 0; n < networks_.network_count(); ++n) {
      EvaluateNetwork(networks_, n, inputs_.data(), outputs_.data() + networks_.network(n).first_output);
    }
  }
  const std::vector<float>& outputs() const { return outputs_; }
  double kilobytes() const {
    double bytes = 0;
    for (int n = 0; n < networks_.network_count(); ++n) bytes += static_cast<double>(networks_.bytes(n));
    return bytes / 1e3;
  }

 private:
  const runtime::NetworkTable& networks_;
  const std::vector<float>& inputs_;
  std::vector<float> outputs_;
};

// And by libtorch.
class TorchNetworks {
 public:
  TorchNetworks(const deformer::LevelCorrectives& trained, const std::vector<float>& inputs) {
    for (const deformer::RegionCorrective& region : trained.regions) {
      networks_.emplace_back(region.network, inputs);
      for (const Eigen::MatrixXf* modes : {&region.V, &region.own}) {
        // The runtime's modes are scaled to a longest component of 1, and its coefficients the other way.
        for (Eigen::Index m = 0; m < modes->cols(); ++m) scales_.push_back(modes->col(m).cwiseAbs().maxCoeff());
      }
    }
  }

  void Run() {
    answers_.clear();
    for (const TorchNetwork& network : networks_) answers_.push_back(network.Evaluate());
  }
  // The largest difference, of the largest answer.
  double Apart(const std::vector<float>& outputs) const {
    double apart = 0, most = 0;
    size_t at = 0;
    for (const torch::Tensor& answer : answers_) {
      for (int64_t m = 0; m < answer.size(0); ++m, ++at) {
        const double expected = static_cast<double>(answer.data_ptr<float>()[m]) * scales_[at];
        apart = std::max(apart, std::abs(outputs[at] - expected));
        most = std::max(most, std::abs(expected));
      }
    }
    return most > 0 ? apart / most : 0;
  }

 private:
  std::vector<float> scales_;
  std::vector<TorchNetwork> networks_;
  std::vector<torch::Tensor> answers_;
};

// What one level, or all of them, took: medians and fastest runs, in microseconds.
struct Row {
  double torch = 0, torch_fastest = 0, sinew[3] = {}, sinew_fastest[3] = {}, kilobytes[3] = {};

  void Add(const Row& other) {
    torch += other.torch;
    torch_fastest += other.torch_fastest;
    for (int p = 0; p < 3; ++p) {
      sinew[p] += other.sinew[p];
      sinew_fastest[p] += other.sinew_fastest[p];
      kilobytes[p] += other.kilobytes[p];
    }
  }
  void Print(const std::string& name) const {
    fmt::print("{:>5} {:>9.0f} ({:>6.0f})", name, torch, torch_fastest);
    for (int p = 0; p < 3; ++p) {
      fmt::print("  | {:>6.0f} {:>7.1f} ({:>6.1f}) {:>5.1f} ({:>5.1f})", kilobytes[p], sinew[p], sinew_fastest[p],
                 torch / sinew[p], torch_fastest / sinew_fastest[p]);
    }
  }
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
  const deformer::TrainedCharacter trained = deformer::ReadDeformer(argv[1]);
  std::vector<bake::BakedBundle> baked;
  for (const runtime::Precision precision : kPrecisions) {
    baked.push_back(
        bake::BuildBundle(trained.hierarchy, trained.deformer, {}, {.precision = precision, .normals = false}));
  }
  std::vector<float> inputs(runtime::NetworkTable::kMaxWidth);
  for (size_t i = 0; i < inputs.size(); ++i) inputs[i] = 0.3f * std::sin(static_cast<float>(3 * i + 1));
  fmt::print("microseconds of all networks, medians (fastest runs); KB: their weights; times: libtorch / sinew\n");
  fmt::print("{:>5} {:>18}", "level", "libtorch");
  for (const char* name : {"f32", "f16", "i8"}) fmt::print("  | {:>6} {:>16} {:>13}", "KB", name, "times");
  fmt::print("  | f32 apart\n");
  Row all;
  for (int i = 1; i <= baked[0].bundle.level_count(); ++i) {
    if (baked[0].bundle.level(i).coefficient_count() == 0) continue;
    TorchNetworks torch(trained.deformer.levels[i - 1], inputs);
    std::vector<RuntimeNetworks> sinew;
    for (const bake::BakedBundle& b : baked) sinew.emplace_back(b.bundle.level(i), inputs);
    std::vector<bench::Variant> variants = {{"libtorch", [&] { torch.Run(); }, nullptr}};
    for (RuntimeNetworks& networks : sinew) variants.push_back({"sinew", [&] { networks.Run(); }, nullptr});
    const std::vector<bench::Measurement> times = bench::Measure(variants, rounds);
    Row row;
    row.torch = times[0].median_ns / 1e3;
    row.torch_fastest = times[0].fastest_ns / 1e3;
    for (size_t p = 0; p < 3; ++p) {
      row.sinew[p] = times[p + 1].median_ns / 1e3;
      row.sinew_fastest[p] = times[p + 1].fastest_ns / 1e3;
      row.kilobytes[p] = sinew[p].kilobytes();
    }
    row.Print(std::to_string(i));
    fmt::print("  | {:.1e}\n", torch.Apart(sinew[0].outputs()));
    all.Add(row);
  }
  all.Print("all");
  fmt::print("\n");
  return 0;
}
