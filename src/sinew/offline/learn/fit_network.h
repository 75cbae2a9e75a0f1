// Training of one small network on one thread: Adam (Kingma and Ba 2015) on mini-batches, with the gradient written
// out. Networks are many and independent, so callers run them in parallel.
#ifndef SINEW_OFFLINE_LEARN_FIT_NETWORK_H_
#define SINEW_OFFLINE_LEARN_FIT_NETWORK_H_

#include <cstdint>
#include <vector>

#include "sinew/offline/learn/dense.h"
#include "sinew/offline/learn/network.h"

namespace sinew::learn {

// One column a sample. The loss is the mean over samples of the squared length of what is missing of the target, in
// the targets' own units: for coefficients of an orthonormal basis that is the error of the shape.
struct Samples {
  RowMatrix inputs;
  RowMatrix targets;

  int count() const { return static_cast<int>(inputs.cols()); }
};

struct FitOptions {
  int width = 0;        // of both hidden layers
  int steps = 4000;     // at most
  int batch = 128;      // samples a step; all of them if there are fewer
  double rate = 0.01;   // at the start; falls to a hundredth of it by half a cosine
  int patience = 1000;  // steps without a better validation loss after which training ends
  double decay = 1e-4;  // of the weights, decoupled (Loshchilov and Hutter 2019), times the rate
  uint64_t seed = 1;
  uint64_t stream = 0;  // which of the seed's streams: one for each network
};

struct FitCurve {
  int step = 0;
  double training = 0, validation = 0;
};

struct Fit {
  Network network;  // of the step with the least validation loss
  double training = 0, validation = 0;
  int steps = 0;
  std::vector<FitCurve> curve;
};

// The network is zero for inputs that are all zero, by construction: its output is W3 (h(x) - h(0)). Without validation
// samples the training loss takes the place of theirs.
Fit FitNetwork(const Samples& training, const Samples& validation, const FitOptions& options);

// The parameters of a network in one row of numbers, W1 b1 W2 b2 W3, and what training needs of them: for tests, and
// for trainers on other devices.
struct NetworkShape {
  int inputs = 0, width = 0, outputs = 0;
  int parameter_count() const { return (inputs + 1) * width + (width + 1) * width + width * outputs; }
};
// The loss, and where `gradient` is not null its gradient, both of shape.parameter_count() numbers. The last input
// column is the rest pose, which has no target.
double NetworkLoss(const NetworkShape& shape, const float* parameters, const ConstRows& inputs_and_rest,
                   const ConstRows& targets, float* gradient);

}  // namespace sinew::learn

#endif  // SINEW_OFFLINE_LEARN_FIT_NETWORK_H_
