// Control of the training of one network, independent of the device that performs the steps: initial parameters,
// samples of each batch, step sizes, and early stopping.
#ifndef SINEW_OFFLINE_LEARN_FIT_RUN_H_
#define SINEW_OFFLINE_LEARN_FIT_RUN_H_

#include <span>
#include <vector>

#include "sinew/offline/core/random.h"
#include "sinew/offline/learn/fit_network.h"

namespace sinew::learn {

class FitRun {
 public:
  static constexpr int kLookEvery = 50;  // steps between two evaluations of the validation loss

  // Throws UsageError for samples and options that do not fit together.
  FitRun(const Samples& training, const Samples& validation, const FitOptions& options);

  const NetworkShape& shape() const { return shape_; }
  // Training and validation samples, standardised, with the rest pose as the last column of the inputs.
  const Samples& seen() const { return seen_; }
  const Samples& held() const { return held_; }
  // Initial parameters; valid before the first call of Look().
  const std::vector<float>& start() const { return best_; }
  // Number of samples per step.
  int batch() const { return batch_; }

  // Indices of the samples of the next step; every epoch they are shuffled and, if they have weights, drawn by these.
  std::span<const int> NextBatch();
  // Factors of Adam's update in step 1, 2, ...: the step size, bias corrections included, and 1 minus the weight decay.
  struct Step {
    float scale = 0, keep = 1;
  };
  Step StepAt(int step) const;
  // Number of steps, from `step` on, until the next call of Look().
  int StepsToLook(int step) const;

  // Records the losses after step `step`; returns false when training is to end. training: mean of the losses since the
  // last call; validation: loss of held(); both of standardised targets. parameters(): returns the present parameters;
  // called only if they are the best so far.
  template <typename Parameters>
  bool Look(int step, double training, double validation, const Parameters& parameters) {
    if (Note(step, training * unit_, validation * unit_)) best_ = parameters();
    return step < options_.steps && step - best_step_ < options_.patience;
  }
  // Returns the best network, in the samples' original units. Call once, at the end.
  Fit Finish();

 private:
  // Standardisation: scales all inputs, and all targets, to magnitudes of about 1.
  struct Standard {
    Eigen::VectorXf mean, scale;  // x -> (x - mean) / scale
    float target_scale = 1;
  };
  static Standard StandardOf(const Samples& samples);
  Samples WithRest(const Samples& samples) const;
  std::vector<float> StartingParameters(Random& random) const;
  Network Unstandardised() const;
  // Fills the order of the next epoch with samples, each with the probability that its weight says.
  void DrawByWeight();
  // Appends to the curve; returns whether this validation loss is the best so far.
  bool Note(int step, double training, double validation);

  FitOptions options_;
  NetworkShape shape_;
  Standard standard_;
  Samples seen_, held_;
  double unit_ = 1;  // factor from a standardised loss to one in the targets' original units
  Random random_;
  std::vector<float> weights_;  // of the training samples, the largest is 1; empty: all count the same
  std::vector<int> order_;
  int batch_ = 0, next_ = 0;
  std::vector<float> best_;
  int best_step_ = 0;
  Fit fit_;
};

}  // namespace sinew::learn

#endif  // SINEW_OFFLINE_LEARN_FIT_RUN_H_
