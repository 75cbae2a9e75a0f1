// Evaluation of methods against ground truth at every level of detail, with linear blend skinning for comparison.
#ifndef SINEW_OFFLINE_EVALUATE_EVALUATE_H_
#define SINEW_OFFLINE_EVALUATE_EVALUATE_H_

#include <string>
#include <vector>

#include "sinew/offline/dataset/training_frames.h"
#include "sinew/offline/evaluate/crossings.h"
#include "sinew/offline/evaluate/level_roles.h"
#include "sinew/offline/evaluate/methods.h"
#include "sinew/offline/evaluate/regions.h"
#include "sinew/offline/evaluate/shape_measures.h"

namespace sinew::evaluate {

struct Evaluation {
  std::vector<std::string> methods;             // names; linear blend comes first
  std::vector<std::vector<LevelError>> errors;  // [method][level - 1], over all frames
  // Errors over the frames in which no limb touches another, and over those in which one does.
  std::vector<std::vector<LevelError>> free, touching;
  std::vector<std::vector<JointRegion>> regions;  // [level - 1], over all frames
  // [method][BodyRegion]: distances on the finest level, over all frames, in sizes of the character (`size`). Empty
  // unless EvaluateOptions::body_regions.
  std::vector<std::vector<DistanceTally>> body_regions;
  Crossings crossings;                  // of the finest level
  std::vector<bool> touches;            // LimbsTouch() per frame
  std::vector<RoleShares> role_shares;  // share of each level's points that has each role: [level - 1]
  std::vector<double> closed_shares;    // LevelSurface::closed_share: [level - 1]
  double size = 0;                      // longest side of the finest level's bounding box at rest, model space

  int level_count() const { return errors.empty() ? 0 : static_cast<int>(errors[0].size()); }
  // Index of the method that is judged: Sinew, or the last one if it is not among the methods.
  size_t judged() const;
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

struct EvaluateOptions {
  double metres_per_unit = 1;  // of the character's lengths
  // Whether crossing triangles are counted, in some of the frames (CrossingFrames()).
  bool crossings = true;
  // Whether distances on the finest level are measured by region of the body, too.
  bool body_regions = false;
};

// Measures linear blend skinning and then the given methods, which do not include it, on all frames. The ground truth
// on level i is that of the finest level in model space, coarsened by C (TruthLevels in training_shapes.h).
Evaluation EvaluateMethods(const lod::Hierarchy& hierarchy, const dataset::TrainingFrames& frames,
                           std::vector<Method> methods, const EvaluateOptions& options = {});

// Sets LevelError::worse_frames and worst_excess from the frames' errors. Differences of at most `exact` do not count:
// where both are alike, rounding alone would decide.
void CompareFrames(const LevelError& linear, double exact, LevelError& error);

// Returns the frames in which crossing triangles are counted, evenly spread: one in sixteen, at least 3 and at most 20.
// To count them in one frame takes about as long as everything else in eight.
std::vector<int> CrossingFrames(int frames);

// Whether frame j and the two before it are of one motion, at even distances in time: flicker is measured there.
bool FollowEachOther(const dataset::TrainingFrames& frames, int j);

// Longest side of the finest level's bounding box at rest, in model space.
double SizeAtRest(const lod::Hierarchy& hierarchy);

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_EVALUATE_H_
