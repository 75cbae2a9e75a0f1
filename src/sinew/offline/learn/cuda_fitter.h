// Training of many networks at once on a CUDA device, through libsinew_cuda (cuda/fit_networks.h), which is looked for
// beside the program, in ../lib from there, and where the system looks.
#ifndef SINEW_OFFLINE_LEARN_CUDA_FITTER_H_
#define SINEW_OFFLINE_LEARN_CUDA_FITTER_H_

#include <memory>
#include <vector>

#include "sinew/offline/learn/fit_network.h"

namespace sinew::learn {

struct FitProblem {
  Samples training, validation;
  FitOptions options;
};

class CudaFitter {
 public:
  // Throws FailedError where the library or a device is missing.
  CudaFitter();
  ~CudaFitter();

  // As FitNetwork for each, up to rounding; the same bits on the same device.
  std::vector<Fit> FitNetworks(const std::vector<FitProblem>& problems) const;

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace sinew::learn

#endif  // SINEW_OFFLINE_LEARN_CUDA_FITTER_H_
