// Conversion between poses and rows of floats, the content of the arrays named "pose".
#ifndef SINEW_OFFLINE_DATASET_POSE_ARRAY_H_
#define SINEW_OFFLINE_DATASET_POSE_ARRAY_H_

#include <span>
#include <vector>

#include "sinew/offline/character/skeleton.h"

namespace sinew::dataset {

// Floats per joint: translation x y z, rotation x y z w, scale x y z.
constexpr int kPoseWidth = 10;

// Appends kPoseWidth floats per joint.
void AppendPose(const Pose& pose, std::vector<float>& values);

// Index of the first joint with a number that is not finite, or a rotation whose length differs from 1 by 0.001 or
// more; -1 if there is none. values: kPoseWidth per joint.
int FindBadJoint(std::span<const float> values);

// Returns the pose with these numbers, bit for bit. values: kPoseWidth per joint.
Pose PoseFromValues(std::span<const float> values);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_POSE_ARRAY_H_
