// The recipes for poses of one character, the same for every command: samples inside its joint limits, and motions of
// any skeleton carried over to it.
#ifndef SINEW_OFFLINE_POSES_POSE_MAKER_H_
#define SINEW_OFFLINE_POSES_POSE_MAKER_H_

#include <optional>
#include <string>

#include "sinew/offline/poses/sample_clear_poses.h"
#include "sinew/offline/retarget/retarget.h"

namespace sinew::poses {

struct PoseMakerOptions {
  // Bring limbs out of the body, in samples and in motions of other skeletons. Motions of the character's own skeleton
  // are an artist's and stay as they are, unless clear_own.
  bool clear = true;
  bool clear_own = false;
  ClearOptions clearance = {};
};

struct SampledPoses {
  Clip clip;
  // With PoseMakerOptions::clear: how much of the joint ranges the samples fill, without clearing and with it.
  std::optional<RangeCoverage> before, after;
};

struct CarryOptions {
  bool in_place = false;        // keep the body over one spot of the ground
  float frames_per_second = 0;  // 0: those of the motion
  bool clamp = false;           // bring poses inside the joint limits
};

struct CarriedMotion {
  Clip clip;                // for the character's skeleton
  bool retargeted = false;  // of another skeleton
  // Poses that leave the joint limits by more than a degree, before clamping, and the joint that does so most.
  int outside = 0;
  Articulation::Excess worst;
  std::optional<ClipClearance> clearance;  // where limbs were brought out of the body
  double deepest = 0;                      // they were inside it, as a fraction of its size
};

class PoseMaker {
 public:
  // All of them must outlive this. The articulation is that of the character's skeleton.
  PoseMaker(const Character& character, const Articulation& articulation, const JointLimits& limits,
            const PoseMakerOptions& options = {});

  // name: of the motion that the samples become. source: what the clip says that they are, for readers of its file.
  SampledPoses Sample(const SampleOptions& options, const std::string& name, const std::string& source) const;

  // Retargets, resamples, bends elbows and knees as hinges, clamps and clears, in this order; everything from the
  // hinges on is for motions of other skeletons, but for clamping and PoseMakerOptions::clear_own. From one thread at a
  // time.
  CarriedMotion CarryOver(const Clip& clip, const retarget::RetargetMap& map, const CarryOptions& options = {});

 private:
  void Clear(CarriedMotion& carried);

  const Character& character_;
  const Articulation& articulation_;
  const JointLimits& limits_;
  const PoseMakerOptions options_;
  std::optional<PoseClearance> clearance_;  // made when it is first needed
};

}  // namespace sinew::poses

#endif  // SINEW_OFFLINE_POSES_POSE_MAKER_H_
