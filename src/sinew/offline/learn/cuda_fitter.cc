#include "sinew/offline/learn/cuda_fitter.h"

#include <string>

#include "sinew/offline/core/error.h"
#include "sinew/offline/learn/cuda/fit_networks.h"
#include "sinew/offline/learn/fit_run.h"
#include "sinew/offline/learn/loaded_library.h"

namespace sinew::learn {
namespace {

constexpr const char* kName = "libsinew_cuda.so";
constexpr int kErrorSize = 512;

}  // namespace

struct CudaFitter::Library {
  LoadedLibrary loaded{kName, "training on a CUDA device", "build it with `scripts/cuda`, or train with --device cpu"};
  decltype(&sinew_cuda_version) version = loaded.Find<decltype(&sinew_cuda_version)>("sinew_cuda_version");
  decltype(&sinew_cuda_open) open = loaded.Find<decltype(&sinew_cuda_open)>("sinew_cuda_open");
  decltype(&sinew_cuda_run) run = loaded.Find<decltype(&sinew_cuda_run)>("sinew_cuda_run");
  decltype(&sinew_cuda_parameters) parameters = loaded.Find<decltype(&sinew_cuda_parameters)>("sinew_cuda_parameters");
  decltype(&sinew_cuda_close) close = loaded.Find<decltype(&sinew_cuda_close)>("sinew_cuda_close");
};

namespace {

SinewCudaSamples View(const Samples& samples) {
  return {samples.inputs.data(), samples.targets.data(), static_cast<int>(samples.targets.cols())};
}

SinewCudaNetwork View(const FitRun& run) {
  return {run.shape().inputs, run.shape().width, run.shape().outputs, run.batch(),
          View(run.seen()),   View(run.held()),  run.start().data()};
}

}  // namespace

CudaFitter::CudaFitter() : library_(std::make_unique<Library>()) {
  if (library_->version() != SINEW_CUDA_VERSION) {
    throw FailedError(std::string(kName) + " is of another version; build it again with `scripts/cuda`");
  }
  // Open with no networks: this only checks that there is a device.
  char error[kErrorSize] = "";
  SinewCudaFitter* nothing = library_->open(nullptr, 0, error, kErrorSize);
  if (nothing == nullptr) throw FailedError(std::string("cannot train on a CUDA device: ") + error);
  library_->close(nothing);
}
CudaFitter::~CudaFitter() = default;

std::vector<Fit> CudaFitter::FitNetworks(const std::vector<FitProblem>& problems) const {
  // Copy all problems to the device.
  std::vector<FitRun> runs;
  runs.reserve(problems.size());
  for (const FitProblem& problem : problems) runs.emplace_back(problem.training, problem.validation, problem.options);
  std::vector<SinewCudaNetwork> networks;
  networks.reserve(runs.size());
  for (const FitRun& run : runs) networks.push_back(View(run));
  char error[kErrorSize] = "";
  const auto fail = [&] { throw FailedError(std::string("cannot train on a CUDA device: ") + error); };
  const std::unique_ptr<SinewCudaFitter, decltype(&sinew_cuda_close)> fitter(
      library_->open(networks.data(), static_cast<int>(networks.size()), error, kErrorSize), library_->close);
  if (fitter == nullptr) fail();

  std::vector<int> active;
  for (size_t i = 0; i < runs.size(); ++i) active.push_back(static_cast<int>(i));
  // Train until no network is active. All problems have the same steps, so that all are validated at the same steps.
  for (int step = 1; !active.empty();) {
    const FitRun& first = runs[active.front()];
    const int count = first.StepsToLook(step);
    std::vector<SinewCudaStep> steps;
    for (int s = step; s < step + count; ++s) steps.push_back({first.StepAt(s).scale, first.StepAt(s).keep});
    // Choose the samples of each step and run the steps.
    std::vector<int> orders;
    for (const int i : active) {
      for (int s = 0; s < count; ++s) {
        const std::span<const int> batch = runs[i].NextBatch();
        orders.insert(orders.end(), batch.begin(), batch.end());
      }
    }
    std::vector<double> training(active.size()), validation(active.size());
    if (library_->run(fitter.get(), active.data(), static_cast<int>(active.size()), orders.data(), steps.data(), count,
                      training.data(), validation.data(), error, kErrorSize) != 0) {
      fail();
    }
    // Keep the best parameters, and drop the networks that have finished.
    step += count;
    std::vector<int> going_on;
    for (size_t a = 0; a < active.size(); ++a) {
      const int i = active[a];
      const auto parameters = [&] {
        std::vector<float> now(runs[i].start().size());
        if (library_->parameters(fitter.get(), i, now.data(), error, kErrorSize) != 0) fail();
        return now;
      };
      if (runs[i].Look(step - 1, training[a] / count, validation[a], parameters)) going_on.push_back(i);
    }
    active = going_on;
  }
  std::vector<Fit> fits;
  fits.reserve(runs.size());
  for (FitRun& run : runs) fits.push_back(run.Finish());
  return fits;
}

}  // namespace sinew::learn
