// Estimates of how long stages take. What depends on the character and the machine is measured (calibrate.h); the
// constants are processor seconds of a core of a 16-core x86-64 server. Only used to tell the user beforehand; times of
// earlier runs in the build's folder correct them.
#ifndef SINEW_OFFLINE_PIPELINE_COST_H_
#define SINEW_OFFLINE_PIPELINE_COST_H_

#include <algorithm>
#include <cmath>

namespace sinew::pipeline {

// Estimated duration of a stage.
struct Cost {
  double serial = 0;    // processor seconds that more threads do not shorten
  double parallel = 0;  // processor seconds that all threads share
  double clock = 0;     // seconds by the clock, however busy the machine is
  double share = 1;     // processor time that a thread gets per second, while other programs run

  double Seconds(int threads) const { return clock + (serial + parallel / threads) / share; }
  double processor_seconds() const { return serial + parallel + clock; }
};

// Measurements on this machine with this character. All durations are processor seconds.
struct Calibration {
  double speed = 1;  // duration of a fixed computation, relative to the server's
  double share = 1;  // processor time that a thread got per second, with as many threads busy as the build uses
  double embedded_seconds = 0;   // to make the embedded character; 0: none was made
  double hierarchy_seconds = 0;  // to make the levels of detail; 0: not measured
  double spheres_seconds = 0;    // to find the spheres in the body that are tested for limbs inside it
  double clearance_seconds = 0;  // to prepare that test for each draw of poses
  double pose_seconds = 0;       // to draw a pose; 0: not measured
  double picture_seconds = 0;    // to draw one body of a picture; 0: not measured
  bool rigid = false;            // nothing of the character is flesh, so nothing is simulated or learned
  double model_seconds = 0;      // to build the flesh of the character; 0: not measured
  double frame_seconds = 0;      // to simulate a frame; 0: not measured
  int frames = 0;                // number of frames it is the mean of
  // As frame_seconds, in frames of the character's own longest animation; 0: it has none.
  double motion_frame_seconds = 0;
  // Numbers of networks over all levels that training on the simulated frames made, by both methods; -1: not measured.
  int networks = -1, single_level_networks = -1;
};

// made: whether the character exists already.
inline Cost EmbeddedCost(const Calibration& c, int vertices, bool made) {
  if (made) return {.serial = 0.1};
  return {.serial = c.embedded_seconds > 0 ? c.embedded_seconds : c.speed * (8.5 + 1e-4 * vertices)};
}
// A network sees meshes of one size, and tries several ways to stand.
inline Cost RigCost(const Calibration& c, int vertices) {
  return {.serial = c.speed * (1 + 3e-5 * vertices), .parallel = c.speed * 3};
}
inline Cost WeightsCost(const Calibration& c, int vertices, int joints, int steps) {
  return {.serial = 1, .parallel = c.speed * 2.5e-7 * vertices * joints * steps};
}
inline Cost HierarchyCost(const Calibration& c, int vertices) {
  return {.serial = c.hierarchy_seconds > 0 ? c.hierarchy_seconds : c.speed * (0.1 + 3e-5 * vertices)};
}
// draws: how many samples are drawn, each from other limits.
inline Cost PosesCost(const Calibration& c, int count, int draws) {
  const double each = c.pose_seconds > 0 ? c.pose_seconds : c.speed * 6e-3;
  return {.serial = 0.1 + c.spheres_seconds + draws * c.clearance_seconds, .parallel = count * each};
}
// Contact makes the time grow a little faster than linearly in the number of tetrahedra.
inline double FrameSeconds(const Calibration& c, int tets, int vertices) {
  if (c.rigid) return 0;
  return c.frame_seconds > 0 ? c.frame_seconds : c.speed * (1.0 * std::pow(tets / 10000.0, 1.2) + 3e-6 * vertices);
}
inline Cost SimulationCost(const Calibration& c, int frames, int tets, int vertices) {
  const double store = c.speed * 6e-8 * vertices;
  return {.serial = c.model_seconds > 0 ? c.model_seconds : c.speed * (2 + 4e-5 * vertices),
          .parallel = frames * (FrameSeconds(c, tets, vertices) + store)};
}
// Few frames make a step shorter, since a batch has 128 of them, and end the training earlier, since it stops when
// validation no longer improves. networks: of all levels.
inline Cost TrainingCost(const Calibration& c, int frames, int vertices, int networks, int steps) {
  const double each = 0.1 * std::min(1.0, frames / 128.0) * std::min(1.0, 0.2 + frames / 330.0);
  return {.serial = 0.1, .parallel = c.speed * (2.5e-7 * vertices * frames + networks * (steps / 4000.0) * each)};
}
// parameters: of all networks that teach.
inline Cost TeachingCost(const Calibration& c, int frames, int vertices, double parameters) {
  return {.serial = c.speed * (0.5 + 1e-4 * vertices),
          .parallel = c.speed * frames * vertices * (2e-6 + 1.5e-10 * parameters)};
}
inline Cost BundleCost(const Calibration& c, int vertices) { return {.serial = c.speed * (0.1 + 5e-6 * vertices)}; }
// A contact is a solve like that of a frame. steps: of training.
inline Cost ContactCost(const Calibration& c, int contacts, int tets, int vertices, int steps) {
  return {.serial = c.model_seconds, .parallel = contacts * FrameSeconds(c, tets, vertices) + c.speed * 0.07 * steps};
}
inline Cost EvaluationCost(const Calibration& c, int frames, int vertices) {
  return {.serial = c.speed * 0.1, .parallel = c.speed * 1.7e-6 * frames * vertices};
}
// The page has an evaluation of its own. bodies: number of bodies in all pictures.
inline Cost ReportCost(const Calibration& c, int bodies, int frames, int vertices) {
  const double each = c.picture_seconds > 0 ? c.picture_seconds : c.speed * (0.15 + 1e-5 * vertices);
  return {.serial = c.speed * 0.5, .parallel = bodies * each + EvaluationCost(c, frames, vertices).parallel};
}

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_COST_H_
