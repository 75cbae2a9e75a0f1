// The training of one network but for the steps themselves, which a device does: what it starts from, which samples are
// in which step, how far a step goes, when it is enough.
#ifndef SINEW_OFFLINE_LEARN_FIT_RUN_H_
#define SINEW_OFFLINE_LEARN_FIT_RUN_H_

#include <span>
#include <vector>

#include "sinew/offline/core/random.h"
#include "sinew/offline/learn/fit_network.h"

namespace sinew::learn {

class FitRun {
 public:
  static constexpr int kLookEvery = 50;  // steps between two looks at the validation loss

  // Throws UsageError for samples and options that do not fit together.
  FitRun(const Samples& training, const Samples& validation, const FitOptions& options);

  const NetworkShape& shape() const { return shape_; }
  // Standardised, with the rest pose as the last column of the inputs.
  const Samples& seen() const { return seen_; }
  const Samples& held() const { return held_; }
  const std::vector<float>& start() const { return best_; }
  int batch() const { return batch_; }

  // The samples of the next step: a new order every epoch.
  std::span<const int> NextBatch();
  // What Adam multiplies with in step 1, 2, ...: the size of the step, bias corrections included, and what weights
  // keep.
  struct Step {
    float scale = 0, keep = 1;
  };
  Step StepAt(int step) const;
  // Steps from `step` on to the next look.
  int StepsToLook(int step) const;

  // After step `step`, with the mean of the losses since the last look and the loss of the held samples, both of
  // standardised targets. parameters: asked for if they are the best so far. False: it is enough.
  template <typename Parameters>
  bool Look(int step, double training, double validation, const Parameters& parameters) {
    if (Note(step, training * unit_, validation * unit_)) best_ = parameters();
    return step < options_.steps && step - best_step_ < options_.patience;
  }
  Fit Finish();

 private:
  // What makes all inputs, and all targets, numbers of about one.
  struct Standard {
    Eigen::VectorXf mean, scale;  // x -> (x - mean) / scale
    float target_scale = 1;
  };
  static Standard StandardOf(const Samples& samples);
  static Samples WithRest(const Samples& samples, const Standard& standard);
  std::vector<float> StartingParameters(Random& random) const;
  Network Unstandardised() const;
  // Whether that is the best so far.
  bool Note(int step, double training, double validation);

  FitOptions options_;
  NetworkShape shape_;
  Standard standard_;
  Samples seen_, held_;
  double unit_ = 1;  // from a standardised loss to one in the targets' own units
  Random random_;
  std::vector<int> order_;
  int batch_ = 0, next_ = 0;
  std::vector<float> best_;
  int best_step_ = 0;
  Fit fit_;
};

}  // namespace sinew::learn

#endif  // SINEW_OFFLINE_LEARN_FIT_RUN_H_
