// How near to the truth a character is at every level, beside skinning alone.
#ifndef SINEW_OFFLINE_EVALUATE_EVALUATE_H_
#define SINEW_OFFLINE_EVALUATE_EVALUATE_H_

#include <functional>
#include <string>
#include <vector>

#include "sinew/offline/lod/hierarchy.h"
#include "sinew/offline/multires/train.h"

namespace sinew::evaluate {

// The shapes of all levels in a pose, on their points: [i - 1] that of level i. Called from several threads at once.
using ShapesOfPose = std::function<std::vector<Points>(const Pose& pose)>;

struct Method {
  std::string name;
  ShapesOfPose shapes;
};

// Of one method on one level, over all points and all frames of some kind, in the character's unit.
struct LevelError {
  double rms = 0, max = 0;
  std::vector<double> frame_rms;  // one per frame
  // Root mean square of the points' second difference over time, where three frames of a motion follow each other: of
  // the method's shapes and of the truth's.
  double jitter = 0, truth_jitter = 0;
};

struct Evaluation {
  std::vector<std::string> methods;             // "linear blend" and "dual quaternion" first
  std::vector<std::vector<LevelError>> errors;  // [method][level - 1], all frames
  // The same over the frames in which no limb touches another, and over those in which one does.
  std::vector<std::vector<LevelError>> free, touching;
  std::vector<bool> touches;  // per frame

  int level_count() const { return errors.empty() ? 0 : static_cast<int>(errors[0].size()); }
};

// The truth on level i is the world-space truth coarsened by C (training_shapes.h). frames: those to measure.
Evaluation EvaluateMethods(const lod::Hierarchy& hierarchy, const dataset::TrainingFrames& frames,
                           std::vector<Method> methods);

// Frames in which a method is more than a twentieth farther from the truth than linear blend skinning, on a level.
int CountWorse(const Evaluation& evaluation, size_t method, int level);

// Skinning alone, by the runtime. The hierarchy must outlive it.
Method SkinningMethod(const lod::Hierarchy& hierarchy, bool dual_quaternion);

// Delta Mush (mesh/delta_mush.h) after linear blend skinning, on the points of every level. The hierarchy must outlive
// it.
Method DeltaMushMethod(const lod::Hierarchy& hierarchy);

// Whether, skinned alone, limbs that are far from each other in the skeleton pass through each other: a hand and a
// thigh, say, which no network that sees a few joints can know of.
bool LimbsTouch(const lod::Level& level, const Points& posed_points);

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_EVALUATE_H_
