// Flesh that is quick to simulate, for tests.
#ifndef SINEW_TESTS_OFFLINE_FLESH_SMALL_FLESH_H_
#define SINEW_TESTS_OFFLINE_FLESH_SMALL_FLESH_H_

#include "sinew/offline/flesh/simulator.h"

namespace sinew::flesh {

inline FleshSettings Small() {
  FleshSettings settings;
  settings.tets = 1500;
  settings.unit = 1;
  return settings;
}

// Returns the largest distance between points of the same index.
inline double Furthest(const Points& a, const Points& b) { return (a - b).rowwise().norm().maxCoeff(); }

}  // namespace sinew::flesh

#endif  // SINEW_TESTS_OFFLINE_FLESH_SMALL_FLESH_H_
