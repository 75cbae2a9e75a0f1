// Poses that everyone knows, for any biped whose joints are known by name: to look at a character at first sight.
#ifndef SINEW_OFFLINE_POSES_EVERYDAY_POSES_H_
#define SINEW_OFFLINE_POSES_EVERYDAY_POSES_H_

#include <string>
#include <string_view>
#include <vector>

#include "sinew/offline/poses/named_pose.h"

namespace sinew::poses {

inline constexpr int kEverydayCount = 12;  // number of everyday poses of a biped

// Whether a body has both arms and legs, known by name, and stands on two feet.
bool IsBiped(const RestBody& body);

// Returns twelve poses: elbows bent by 90 and 140 degrees, a knee by 90 and 130, sitting, kneeling, arms up, down and
// to the front, a hug, a turn and a bow. Limbs are given by directions in the body's frame (anatomy/rest_body.h), so
// that the poses are the same whatever the rest pose is; joints that a pose does not need stay at rest, and all stay
// inside the limits, so that a joint of less range turns as far as it can. Empty if the
// body is no biped. limits: one per joint, of the articulation's skeleton.
std::vector<NamedPose> EverydayPoses(const Articulation& articulation, const JointLimits& limits);

// Returns what people call the everyday pose of a name: "sitting" for "sit". The name itself if there is no such pose.
std::string EverydayLabel(std::string_view name);

}  // namespace sinew::poses

#endif  // SINEW_OFFLINE_POSES_EVERYDAY_POSES_H_
