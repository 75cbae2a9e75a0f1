// Poses that a user writes as text: "left_elbow=140,right_hip.side=20".
#ifndef SINEW_OFFLINE_POSES_NAMED_POSE_H_
#define SINEW_OFFLINE_POSES_NAMED_POSE_H_

#include <string>
#include <string_view>
#include <vector>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/character/clip.h"

namespace sinew::poses {

// Parses JOINT[.bend|.side|.twist]=DEGREES, several separated by commas, and returns that pose. A joint alone means its
// bend. Joints have the file's names or canonical ones (FindNamedJoint()). Angles are those of the limit
// (docs/formats/limits.md), measured from its neutral; those that are not named are those of rest. Limits are not
// enforced. Throws UsageError, with a sentence that quotes what is wrong, for text of another form, joints that do not
// exist, angles beyond 180 degrees and an angle given twice.
// limits: one per joint, of the articulation's skeleton.
Pose ParsePose(std::string_view text, const Articulation& articulation, const JointLimits& limits);

// A pose with a name.
struct NamedPose {
  std::string name;   // one word, or the text that it was parsed from
  std::string label;  // for people; may be the same
  Pose pose;
};

// Returns poses that belong to no time as a clip, in which each is a source of its own, of kind "named".
Clip ToClip(const Skeleton& skeleton, const std::string& name, const std::vector<NamedPose>& poses);

}  // namespace sinew::poses

#endif  // SINEW_OFFLINE_POSES_NAMED_POSE_H_
