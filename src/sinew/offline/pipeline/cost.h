// Estimates of how long stages take. What no formula tells is measured on this machine (calibrate.h); the constants are
// those of the embedded biped on a core of a 16-core x86-64 server. Only used to tell the user beforehand; times of
// earlier runs in the build's folder correct them.
#ifndef SINEW_OFFLINE_PIPELINE_COST_H_
#define SINEW_OFFLINE_PIPELINE_COST_H_

#include <algorithm>
#include <cmath>

namespace sinew::pipeline {

// Estimated duration of a stage.
struct Cost {
  double serial = 0;    // seconds that more threads do not shorten
  double parallel = 0;  // seconds of one thread, divided by the number of threads

  double Seconds(int threads) const { return serial + parallel / threads; }
  double total() const { return serial + parallel; }
};

// What was measured on this machine, with as many threads busy as the build uses, to estimate with.
struct Calibration {
  double speed = 1;          // duration of a fixed computation on one thread, relative to the server's
  double model_seconds = 0;  // to build the flesh of the character; 0: not measured
  double frame_seconds = 0;  // of one thread, to simulate a frame; 0: not measured
  int frames = 0;            // number of frames it is the mean of
  // As frame_seconds, in frames of the character's own longest animation; 0: it has none.
  double motion_frame_seconds = 0;
};

inline Cost EmbeddedCost(const Calibration& c, int vertices) { return {.serial = c.speed * (8.5 + 1e-4 * vertices)}; }
inline Cost WeightsCost(const Calibration& c, int vertices, int joints, int steps) {
  return {.serial = 1, .parallel = c.speed * 2.5e-7 * vertices * joints * steps};
}
inline Cost HierarchyCost(const Calibration& c, int vertices) { return {.serial = c.speed * (0.1 + 3e-5 * vertices)}; }
inline Cost PosesCost(const Calibration& c, int count) { return {.serial = 1, .parallel = c.speed * 6e-3 * count}; }
// Contact makes the time grow a little faster than linearly in the number of tetrahedra.
inline double FrameSeconds(const Calibration& c, int tets, int vertices) {
  return c.frame_seconds > 0 ? c.frame_seconds : c.speed * (1.0 * std::pow(tets / 10000.0, 1.2) + 3e-6 * vertices);
}
inline Cost SimulationCost(const Calibration& c, int frames, int tets, int vertices) {
  return {.serial = c.model_seconds > 0 ? c.model_seconds : c.speed * (2 + 4e-5 * vertices),
          .parallel = frames * FrameSeconds(c, tets, vertices)};
}
// Few frames make a step shorter, since a batch has 128 of them, and end the training earlier, since it stops when
// validation no longer improves. networks: of all levels.
inline Cost TrainingCost(const Calibration& c, int frames, int vertices, int networks, int steps) {
  const double each = 0.28 * std::min(1.0, frames / 128.0) * std::min(1.0, 0.2 + frames / 330.0);
  return {.serial = c.speed * 1e-6 * vertices * frames, .parallel = c.speed * networks * (steps / 4000.0) * each};
}
inline Cost BundleCost(const Calibration& c, int vertices) { return {.serial = c.speed * (0.2 + 2e-5 * vertices)}; }
inline Cost EvaluationCost(const Calibration& c, int frames, int vertices) {
  return {.serial = c.speed * 0.2, .parallel = c.speed * 1e-6 * frames * vertices};
}
inline Cost ReportCost(const Calibration& c, bool pictures, int vertices) {
  return {.serial = c.speed * (1 + (pictures ? 10 + 1.5e-3 * vertices : 0))};
}

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_COST_H_
