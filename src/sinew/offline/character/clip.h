// A motion together with the skeleton it is for: what a BVH file, an animation or a pose file holds.
#ifndef SINEW_OFFLINE_CHARACTER_CLIP_H_
#define SINEW_OFFLINE_CHARACTER_CLIP_H_

#include <optional>
#include <string>
#include <vector>

#include "sinew/offline/character/skeleton.h"

namespace sinew {

// What was done about limbs inside the body (pose_clearance.h).
struct ClipClearance {
  double tolerance = 0;  // of the body's size
  int corrected = 0;     // frames that were moved
  int rejected = 0;      // samples that were passed over
  int left = 0;          // frames in which a limb still is inside the body
};

// Something that frames were taken from.
struct ClipSource {
  std::string kind;   // "limits": sampled inside joint limits; "motion": a file's motion
  std::string file;   // name without folders; empty for samples
  std::string clip;   // the motion's name in it
  uint64_t seed = 0;  // of samples
  bool retargeted = false;
  std::optional<ClipClearance> clearance = std::nullopt;  // none: nothing was done
};

struct FrameOrigin {
  int source = 0;  // index into Clip::sources
  int frame = 0;   // number of the frame there
};

struct Clip {
  Skeleton skeleton;
  Motion motion;                     // for all joints of the skeleton, in its order
  std::vector<ClipSource> sources;   // may be empty: unknown
  std::vector<FrameOrigin> origins;  // one per frame, or empty
};

// Adds the frames of another clip of the same skeleton.
void Append(Clip& clip, const Clip& more);

// At another rate, both ends kept as nearly as the rate allows: rotations by slerp, the rest linearly. Each frame's
// origin is the nearest original frame. Clips without time (rate 0) come back as they are.
Clip Resample(const Clip& clip, float frames_per_second);

// Some frames, in this order, without time.
Clip Select(const Clip& clip, const std::vector<int>& frames);

// The joint names of a skeleton, as a motion has them.
std::vector<std::string> JointNames(const Skeleton& skeleton);

// The same poses for a skeleton with the same joints in perhaps another order; joints that the clip lacks stay at rest.
// Throws InputError, naming `file`, the joints that do not fit and how to retarget, if the clip has joints that the
// skeleton lacks or most of the skeleton's joints are missing from it.
std::vector<Pose> PosesFor(const Skeleton& skeleton, const Clip& clip, const std::string& file);

}  // namespace sinew

#endif  // SINEW_OFFLINE_CHARACTER_CLIP_H_
