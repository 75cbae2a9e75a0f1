// Training of one small network on one thread: Adam (Kingma and Ba 2015) on mini-batches, with hand-written gradients.
// Networks are many and independent, so callers train them in parallel.
#ifndef SINEW_OFFLINE_LEARN_FIT_NETWORK_H_
#define SINEW_OFFLINE_LEARN_FIT_NETWORK_H_

#include <cstdint>
#include <vector>

#include "sinew/offline/learn/dense.h"
#include "sinew/offline/learn/network.h"

namespace sinew::learn {

// Samples of a regression problem, one column per sample. The loss is the mean over samples of the squared length of
// output minus target, in the targets' original units: for coefficients of an orthonormal basis it is the squared error
// of the shape.
struct Samples {
  RowMatrix inputs;
  RowMatrix targets;
  // One weight above 0 per sample. Training uses a sample in that share of the epochs in which it uses the sample of
  // the largest weight. Empty: all count the same.
  std::vector<float> weights = {};

  int count() const { return static_cast<int>(inputs.cols()); }
};

struct FitOptions {
  int width = 0;        // width of both hidden layers; must be set
  int steps = 4000;     // maximum number of steps
  int batch = 128;      // samples per step; all of them if there are fewer
  double rate = 0.01;   // learning rate at the start; falls to a hundredth of it along half a cosine
  int patience = 1000;  // number of steps without a better validation loss after which training ends
  double decay = 1e-4;  // decoupled weight decay (Loshchilov and Hutter 2019), multiplied by the learning rate
  uint64_t seed = 1;
  uint64_t stream = 0;  // stream of random numbers of this seed; a different one for each network
  // Whether the output for inputs that are all zero is learned, too; otherwise it is zero.
  bool free = false;
};

// Losses at one evaluation of the validation samples.
struct FitCurve {
  int step = 0;
  double training = 0, validation = 0;
};

struct Fit {
  Network network;                      // network of the step with the least validation loss
  double training = 0, validation = 0;  // losses at that step
  int steps = 0;                        // number of steps done
  std::vector<FitCurve> curve;
};

// Trains a network. Its output is zero for inputs that are all zero, by construction: it is W3 (h(x) - h(0)). With
// FitOptions::free there is one more input, 1 for all samples and 0 only in h(0), which lets that be anything. Without
// validation samples the training samples are used in their place. Throws UsageError for samples and options that do
// not fit together.
Fit FitNetwork(const Samples& training, const Samples& validation, const FitOptions& options);

// Size of a network whose parameters are one row of numbers, W1 b1 W2 b2 W3. It and NetworkLoss() are public for tests
// and for trainers on other devices.
struct NetworkShape {
  int inputs = 0, width = 0, outputs = 0;
  int parameter_count() const { return (inputs + 1) * width + (width + 1) * width + width * outputs; }
};
// Returns the loss and, if `gradient` is not null, computes its gradient. parameters, gradient: shape.parameter_count()
// numbers. inputs_and_rest: one column per sample, and the rest pose, which has no target, as the last column.
double NetworkLoss(const NetworkShape& shape, const float* parameters, const ConstRows& inputs_and_rest,
                   const ConstRows& targets, float* gradient);

}  // namespace sinew::learn

#endif  // SINEW_OFFLINE_LEARN_FIT_NETWORK_H_
