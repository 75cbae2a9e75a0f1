// Quantiles of many weighted numbers without keeping them.
#ifndef SINEW_OFFLINE_EVALUATE_WEIGHTED_HISTOGRAM_H_
#define SINEW_OFFLINE_EVALUATE_WEIGHTED_HISTOGRAM_H_

#include <vector>

namespace sinew::evaluate {

// Histogram with fixed bins: every power of two from 2^-20 to 2^8 is cut into 128 equal ones. So a quantile is at most
// one part in 128 from the exact one. Numbers below 2^-20 share a bin, and those above 2^8 are in the last one.
class WeightedHistogram {
 public:
  // value: not negative.
  void Add(double value, double weight);
  void Add(const WeightedHistogram& other);
  // Adds the other one's numbers times `factor`, which is positive, each with its weight times `weight`. A number is
  // taken to be in the middle of its bin, so that a quantile is one part in 64 from the exact one then.
  void AddScaled(const WeightedHistogram& other, double factor, double weight);

  double total() const { return total_; }
  // Returns the number that this share of the weight, 0 to 1, does not exceed, interpolated in its bin; 0 if nothing
  // was added.
  double Quantile(double share) const;

 private:
  std::vector<double> weights_;  // per bin; empty until something is added
  double total_ = 0;
};

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_WEIGHTED_HISTOGRAM_H_
