// Generation of poses for one character, in the same way for every command: samples inside its joint limits, and
// motions of any skeleton retargeted to it.
#ifndef SINEW_OFFLINE_POSES_POSE_MAKER_H_
#define SINEW_OFFLINE_POSES_POSE_MAKER_H_

#include <optional>
#include <string>

#include "sinew/offline/poses/sample_clear_poses.h"
#include "sinew/offline/retarget/retarget.h"

namespace sinew::poses {

struct PoseMakerOptions {
  // Whether to remove self-intersections (pose_clearance.h) from samples and from motions of other skeletons. Motions
  // of the character's own skeleton are an artist's work and stay unchanged, unless clear_own is set.
  bool clear = true;
  bool clear_own = false;
  ClearOptions clearance = {};
};

struct SampledPoses {
  Clip clip;
  // Fraction of the joint ranges that the samples fill before clearing and after it; only with PoseMakerOptions::clear.
  std::optional<RangeCoverage> before, after;
};

struct CarryOptions {
  bool in_place = false;        // whether to keep the body over one spot of the ground
  float frames_per_second = 0;  // rate of the result; 0: that of the motion
  bool clamp = false;           // whether to bring poses inside the joint limits
  bool as_is = false;           // whether elbows and knees keep bending as the motion bends them
};

struct CarriedMotion {
  Clip clip;                // for the character's skeleton
  bool retargeted = false;  // whether the motion was of another skeleton
  // Whether it is of the same skeleton and yet not made for this rig: its elbows or knees bend sideways. Then it is
  // corrected as if it were of another one, unless CarryOptions::as_is is set.
  bool recorded = false;
  // Number of poses that exceed the joint limits by more than a degree before clamping, and the joint that does so
  // most.
  int outside = 0;
  Articulation::Excess worst;
  std::optional<ClipClearance> clearance;  // what clearing did; none if the motion was not cleared
  double deepest = 0;                      // depth of the deepest overlap before clearing, as in ClearedPose
};

// To be used from one thread at a time.
class PoseMaker {
 public:
  // Keeps references to character, articulation and limits, which must outlive this. articulation: that of the
  // character's skeleton.
  PoseMaker(const Character& character, const Articulation& articulation, const JointLimits& limits,
            const PoseMakerOptions& options = {});

  // Samples poses inside the joint limits. name: name of the resulting motion. source: description of the samples that
  // is stored in the clip (ClipSource::clip) for readers of its file.
  SampledPoses Sample(const SampleOptions& options, const std::string& name, const std::string& source);

  // Carries a motion over to the character: retargets it, resamples it, corrects it
  // (correct_motion.h), clamps and clears, in this order. Motions of the character's own
  // skeleton skip the hinges, and are cleared only with PoseMakerOptions::clear_own, unless they were recorded
  // (CarriedMotion::recorded).
  CarriedMotion CarryOver(const Clip& clip, const retarget::RetargetMap& map, const CarryOptions& options = {});

 private:
  // Finds the spheres in the body that clearing needs, if they are not there.
  void Prepare();
  // Clears all frames of a motion together.
  void Clear(CarriedMotion& carried);

  const Character& character_;
  const Articulation& articulation_;
  const JointLimits& limits_;
  PoseMakerOptions options_;                // with the spheres, once they are found
  std::optional<PoseClearance> clearance_;  // built at first use
};

}  // namespace sinew::poses

#endif  // SINEW_OFFLINE_POSES_POSE_MAKER_H_
