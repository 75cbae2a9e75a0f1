// Training of many networks at once on a CUDA device, through libsinew_cuda (cuda/fit_networks.h). The library is
// searched for in the program's folder, in ../lib relative to it, and in the system's search path.
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
  // Throws FailedError if the library or a device is missing.
  CudaFitter();
  ~CudaFitter();

  // Trains all networks; results are those of FitNetwork() up to rounding, and the same bits on the same device. All
  // problems must have the same number of steps, learning rate and weight decay. Throws FailedError if the device
  // fails.
  std::vector<Fit> FitNetworks(const std::vector<FitProblem>& problems) const;

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace sinew::learn

#endif  // SINEW_OFFLINE_LEARN_CUDA_FITTER_H_
