// Evaluation of methods against ground truth at every level of detail, with skinning alone for comparison.
#ifndef SINEW_OFFLINE_EVALUATE_EVALUATE_H_
#define SINEW_OFFLINE_EVALUATE_EVALUATE_H_

#include <functional>
#include <string>
#include <vector>

#include "sinew/offline/evaluate/level_roles.h"
#include "sinew/offline/lod/hierarchy.h"
#include "sinew/offline/multires/train.h"

namespace sinew::evaluate {

// Function that returns the shapes of all levels in a pose, in model space: [i - 1] has one row per point of level i.
// It is called from several threads at once.
using ShapesOfPose = std::function<std::vector<Points>(const Pose& pose)>;

struct Method {
  std::string name;
  ShapesOfPose shapes;
};

// Error of one method on one level, over all points and a set of frames, in the character's unit.
struct LevelError {
  double rms = 0, max = 0;        // root mean square and largest distance to the ground truth
  double soft_rms = 0;            // root mean square over the soft points alone (IsSoft()); 0 if there are none
  std::vector<double> frame_rms;  // root mean square per frame
  // Root mean square of the points' second difference over time, where three frames of a motion follow each other: of
  // the method's shapes and of the ground truth.
  double jitter = 0, truth_jitter = 0;
};

struct Evaluation {
  std::vector<std::string> methods;             // names; "linear blend" and "dual quaternion" come first
  std::vector<std::vector<LevelError>> errors;  // [method][level - 1], over all frames
  // Errors over the frames in which no limb touches another, and over those in which one does.
  std::vector<std::vector<LevelError>> free, touching;
  std::vector<bool> touches;            // LimbsTouch() per frame
  std::vector<RoleShares> role_shares;  // share of each level's points that has each role: [level - 1]
  double size = 0;                      // longest side of the finest level's bounding box at rest, model space

  int level_count() const { return errors.empty() ? 0 : static_cast<int>(errors[0].size()); }
  // Share of the points of a level that are soft.
  double SoftShare(int level) const;
  // Whether all points of all levels are soft, so that errors over what is soft are errors over all.
  bool AllSoft() const;
  // Errors up to this count as none: kExact of the character's size.
  double exact() const { return kExact * size; }

  // Rounding of positions along a chain of joints, or far from the origin, stays below this; a hundredth of a
  // millimetre on a person is not to be seen.
  static constexpr double kExact = 1e-5;
};

// Measures linear blend skinning, dual quaternion skinning and the given methods on all frames. The ground truth on
// level i is that of the finest level in model space, coarsened by C (TruthLevels in training_shapes.h).
Evaluation EvaluateMethods(const lod::Hierarchy& hierarchy, const dataset::TrainingFrames& frames,
                           std::vector<Method> methods);

// Number of frames in which the error of a method on a level is more than 5% larger than that of linear blend skinning.
// Frames in which the method's error is at most Evaluation::exact() are not counted: where skinning is exact already,
// rounding alone would decide.
int CountWorse(const Evaluation& evaluation, size_t method, int level);

// Skinning alone, by the runtime. The hierarchy must outlive the method.
Method SkinningMethod(const lod::Hierarchy& hierarchy, bool dual_quaternion);

// Delta Mush (mesh/delta_mush.h) after linear blend skinning, on the points of every level. The hierarchy must outlive
// the method.
Method DeltaMushMethod(const lod::Hierarchy& hierarchy);

// Longest side of the finest level's bounding box at rest, in model space.
double SizeAtRest(const lod::Hierarchy& hierarchy);

// Triangles of a level, as indices of points.
Triangles PointTriangles(const lod::Level& level);

// Whether limbs that are far from each other in the skeleton intersect, for example a hand and a thigh: no network that
// sees only a few joints can predict that. posed_points: points of the level in model space, by skinning alone.
bool LimbsTouch(const lod::Level& level, const Points& posed_points);

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_EVALUATE_H_
