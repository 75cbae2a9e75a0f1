// Estimates of how long stages take, in seconds of one thread, measured with the embedded biped on a 2 GHz server core.
// Only used to tell the user beforehand; times of earlier runs in the build's folder correct them.
#ifndef SINEW_OFFLINE_PIPELINE_COST_H_
#define SINEW_OFFLINE_PIPELINE_COST_H_

#include <algorithm>
#include <cmath>

namespace sinew::pipeline {

inline double EmbeddedCost(int vertices) { return 8.5 + 1e-4 * vertices; }
inline double WeightsCost(int vertices, int joints, int steps) { return 1 + 2.5e-7 * vertices * joints * steps; }
inline double HierarchyCost(int vertices) { return 0.1 + 3e-5 * vertices; }
inline double PosesCost(int count) { return 1 + 6e-3 * count; }
// Contact makes the time grow a little faster than linearly in the number of tetrahedra.
inline double SimulationCost(int frames, int tets, int vertices) {
  return 2 + 4e-5 * vertices + frames * (1.0 * std::pow(tets / 10000.0, 1.2) + 3e-6 * vertices);
}
inline double TrainingCost(int frames, int vertices, int regions, int levels, int steps) {
  const double networks = static_cast<double>(regions) * levels;
  return 1e-6 * vertices * frames + networks * (steps / 4000.0) * std::min(1.0, 0.1 + frames / 1500.0);
}
inline double BundleCost(int vertices) { return 0.2 + 2e-5 * vertices; }
inline double EvaluationCost(int frames, int vertices) { return 0.2 + 1e-6 * frames * vertices; }
inline double TimingCost(int rounds, int levels) { return 0.03 * rounds * (3 + 8 * levels); }
inline double ReportCost(bool pictures, int vertices) { return 1 + (pictures ? 10 + 1.5e-3 * vertices : 0); }

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_COST_H_
