#include "sinew/offline/learn/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew::learn {

double CosineRate(double rate, int64_t step, int64_t steps, double last_share) {
  const double cosine = 0.5 * (1 + std::cos(std::numbers::pi * static_cast<double>(step) / static_cast<double>(steps)));
  return rate * (last_share + (1 - last_share) * cosine);
}

void NotePlateau(const PlateauOptions& options, double loss, PlateauState& state) {
  const bool gain = std::isinf(state.best) ? !std::isnan(loss) && loss < state.best
                                           : loss < state.best - options.least_gain * std::abs(state.best);
  if (gain) {
    state.best = loss;
    state.waited = 0;
    return;
  }
  if (++state.waited < options.patience) return;
  state.factor = std::max(options.least, state.factor * options.factor);
  state.waited = 0;
}

}  // namespace sinew::learn
