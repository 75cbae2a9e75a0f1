// Sums of weighted distances that a mean, a root mean square, the largest and percentiles are computed from.
#ifndef SINEW_OFFLINE_EVALUATE_DISTANCE_TALLY_H_
#define SINEW_OFFLINE_EVALUATE_DISTANCE_TALLY_H_

#include "sinew/offline/evaluate/weighted_histogram.h"

namespace sinew::evaluate {

// Adding is in the order of the calls, so that equal calls give equal bits. All figures are 0 if nothing was added.
class DistanceTally {
 public:
  // distance, weight: not negative.
  void Add(double distance, double weight);
  void Add(const DistanceTally& other);
  // Adds the other one's distances times `length`, each with its weight times `weight`. Both are positive.
  void AddScaled(const DistanceTally& other, double length, double weight);

  double weight() const { return weight_; }
  double max() const { return max_; }
  double Mean() const;
  double Rms() const;
  // Distance that this share of the weight, 0 to 1, does not exceed (WeightedHistogram).
  double Quantile(double share) const;

 private:
  double weight_ = 0, distance_ = 0, square_ = 0, max_ = 0;
  WeightedHistogram histogram_;
};

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_DISTANCE_TALLY_H_
