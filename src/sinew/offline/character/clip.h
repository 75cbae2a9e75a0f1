// Clip: a motion together with its skeleton and the origin of its frames, as read from a BVH file, an animation or a
// pose file.
#ifndef SINEW_OFFLINE_CHARACTER_CLIP_H_
#define SINEW_OFFLINE_CHARACTER_CLIP_H_

#include <optional>
#include <string>
#include <vector>

#include "sinew/offline/character/skeleton.h"

namespace sinew {

// Record of the removal of self-intersections (pose_clearance.h).
struct ClipClearance {
  double tolerance = 0;  // largest allowed depth, as a fraction of the body's size
  int corrected = 0;     // number of frames that were changed
  int rejected = 0;      // number of samples that were passed over
  int left = 0;          // number of frames in which a limb is still inside the body
};

// Source that frames were taken from.
struct ClipSource {
  std::string kind;   // "limits": sampled inside joint limits; "motion": a file's motion
  std::string file;   // file name without folders; empty for samples
  std::string clip;   // name of the motion in the file
  uint64_t seed = 0;  // seed of samples
  bool retargeted = false;
  std::optional<ClipClearance> clearance = std::nullopt;  // none: the frames were not cleared
};

struct FrameOrigin {
  int source = 0;  // index into Clip::sources
  int frame = 0;   // index of the frame in that source
};

struct Clip {
  Skeleton skeleton;
  Motion motion;                     // for all joints of the skeleton, in its order
  std::vector<ClipSource> sources;   // empty: unknown
  std::vector<FrameOrigin> origins;  // one per frame, or empty
};

// Appends the frames of another clip of the same skeleton, with their sources and origins.
void Append(Clip& clip, const Clip& more);

// Returns the clip at another rate, with both ends kept as nearly as the rate allows. Rotations are interpolated by
// slerp, translations and scales linearly. Each frame's origin is that of the nearest original frame. Clips without
// time (rate 0) are returned unchanged.
Clip Resample(const Clip& clip, float frames_per_second);

// Returns a clip of these frames, in this order, without time (rate 0).
Clip Select(const Clip& clip, const std::vector<int>& frames);

// Returns the names of a skeleton's joints, as stored in Motion::joints.
std::vector<std::string> JointNames(const Skeleton& skeleton);

// Returns the poses for a skeleton with the same joints, perhaps in another order; joints that the clip lacks stay at
// rest. Throws InputError, naming `file`, the joints that do not fit and how to retarget, if the clip has joints that
// the skeleton lacks or most of the skeleton's joints are missing from it.
std::vector<Pose> PosesFor(const Skeleton& skeleton, const Clip& clip, const std::string& file);

}  // namespace sinew

#endif  // SINEW_OFFLINE_CHARACTER_CLIP_H_
