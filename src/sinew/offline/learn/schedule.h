// Learning rates over the course of a training, and when it ends.
#ifndef SINEW_OFFLINE_LEARN_SCHEDULE_H_
#define SINEW_OFFLINE_LEARN_SCHEDULE_H_

#include <cstdint>
#include <limits>

namespace sinew::learn {

// Returns the learning rate of step 1, 2, ..., `steps`: it falls from `rate` to last_share of it along half a cosine.
double CosineRate(double rate, int64_t step, int64_t steps, double last_share = 0.01);

// Factor of the learning rate that falls whenever the loss stalls.
struct PlateauOptions {
  double factor = 0.75;      // what the rate is multiplied by
  int patience = 8;          // looks without a gain after which that is done
  double least_gain = 1e-4;  // share of the best loss by which a loss must be below it to count as a gain
  double least = 1e-3;       // the factor never falls below it
};
struct PlateauState {
  double factor = 1;
  double best = std::numeric_limits<double>::infinity();
  int waited = 0;  // looks since the last gain

  bool operator==(const PlateauState&) const = default;
};
// Takes the loss of one more look into account. A loss that is not a number is no gain.
void NotePlateau(const PlateauOptions& options, double loss, PlateauState& state);

}  // namespace sinew::learn

#endif  // SINEW_OFFLINE_LEARN_SCHEDULE_H_
