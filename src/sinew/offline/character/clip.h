// Clip: a motion with its skeleton and the provenance of each frame (source file and frame number there), as read from
// a BVH file, an animation or a pose file.
#ifndef SINEW_OFFLINE_CHARACTER_CLIP_H_
#define SINEW_OFFLINE_CHARACTER_CLIP_H_

#include <optional>
#include <string>
#include <vector>

#include "sinew/offline/character/skeleton.h"

namespace sinew {

// Record of the removal of self-intersections (poses/pose_clearance.h).
struct ClipClearance {
  double tolerance = 0;  // largest allowed depth of an overlap, fraction of the longest side of the rest bounding box
  int corrected = 0;     // number of frames that were changed
  int rejected = 0;      // number of random samples that were drawn but not used; 0 for motions
  int left = 0;          // number of frames with an overlap that is still deeper than the tolerance
};

// Source of frames: a motion in a file, random samples, or a single pose.
struct ClipSource {
  std::string kind;   // "limits": sampled inside joint limits; "motion": a file's motion; "named": one pose by name
  std::string file;   // file name without folders; empty for samples
  std::string clip;   // name of the motion in the file, or of the samples
  uint64_t seed = 0;  // seed of the random samples
  bool retargeted = false;
  std::optional<ClipClearance> clearance = std::nullopt;  // none: the frames were not cleared
};

// Provenance of one frame.
struct FrameOrigin {
  int source = 0;  // index into Clip::sources
  int frame = 0;   // index of the frame, or of the random sample, in that source
};

struct Clip {
  Skeleton skeleton;
  Motion motion;                     // for all joints of the skeleton, in its order
  std::vector<ClipSource> sources;   // empty: unknown
  std::vector<FrameOrigin> origins;  // one per frame, or empty
};

// Appends the frames of another clip of the same skeleton, with their sources and origins. The rate stays that of
// `clip`.
void Append(Clip& clip, const Clip& more);

// Returns the clip at another frame rate. The first frame is kept; the last is at the end of the clip, or less than one
// new frame before it. Rotations are interpolated by slerp, translations and scales linearly. Each frame's origin is
// that of the nearest original frame. Clips without time (rate 0) are returned unchanged.
Clip Resample(const Clip& clip, float frames_per_second);

// Returns a clip of these frames, in this order, without time (rate 0).
Clip Select(const Clip& clip, const std::vector<int>& frames);

// Returns the names of a skeleton's joints, as stored in Motion::joints.
std::vector<std::string> JointNames(const Skeleton& skeleton);

// Returns the clip's poses with the joints in the order of `skeleton`, matched by name; joints that the clip lacks stay
// at rest. Throws InputError, naming `file`, the joints that do not fit and how to retarget, if the clip has joints
// that the skeleton lacks or more than half of the skeleton's joints are missing from it. Helpers (Joint::helper) may
// be absent from either.
std::vector<Pose> PosesFor(const Skeleton& skeleton, const Clip& clip, const std::string& file);

}  // namespace sinew

#endif  // SINEW_OFFLINE_CHARACTER_CLIP_H_
