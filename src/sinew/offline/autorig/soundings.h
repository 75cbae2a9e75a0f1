// Soundings of a body: distances from its joints and bones to its surface, in directions that turn with the bones. They
// depend on the surface alone, however it is meshed, and tell how far joints are from where they belong
// (joint_refiner.h).
#ifndef SINEW_OFFLINE_AUTORIG_SOUNDINGS_H_
#define SINEW_OFFLINE_AUTORIG_SOUNDINGS_H_

#include <array>
#include <vector>

#include "sinew/offline/autorig/body_frame.h"
#include "sinew/offline/mesh/queries.h"

namespace sinew::autorig {

// Directions around every joint, places along every bone, and directions around each of these.
constexpr int kJointRays = 26, kBonePlaces = 3, kBoneRays = 8;
// Soundings of a body: positions of joints, then distances from joints, then those from bones.
constexpr int kSoundings = 3 * kJoints + kJoints * kJointRays + (kJoints - 1) * kBonePlaces * kBoneRays;

// Joints in a frame of their body (RefinedFrame), or as its mirror image has them there.
JointPositions JointsInView(const JointPositions& joints, const BodyFrame& frame, bool mirrored);

// Axes of every joint, as columns: the last one along the bone that leaves it.
std::array<Eigen::Matrix3d, kJoints> JointAxes(const JointPositions& in_view);

// Takes the soundings of a body, or of its mirror image. Distances are in heights of the frame, up to a limit. joints,
// frame: in the surface's space.
std::vector<float> TakeSoundings(const SurfaceQuery& surface, const JointPositions& joints, const BodyFrame& frame,
                                 bool mirrored);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_SOUNDINGS_H_
