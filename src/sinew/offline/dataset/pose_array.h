// Poses as rows of numbers: what the arrays named "pose" hold.
#ifndef SINEW_OFFLINE_DATASET_POSE_ARRAY_H_
#define SINEW_OFFLINE_DATASET_POSE_ARRAY_H_

#include <span>
#include <vector>

#include "sinew/offline/character/skeleton.h"

namespace sinew::dataset {

// Of a joint: translation x y z, rotation x y z w, scale x y z.
constexpr int kPoseWidth = 10;

void AppendPose(const Pose& pose, std::vector<float>& values);

// values: kPoseWidth a joint. Which joint has a number that is not finite or a rotation that is not of length 1, within
// 0.001; -1: none.
int FindBadJoint(std::span<const float> values);

// The numbers as they are, bit for bit.
Pose PoseFromValues(std::span<const float> values);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_POSE_ARRAY_H_
