#include "sinew/offline/dataset/pose_array.h"

#include <algorithm>
#include <cmath>

namespace sinew::dataset {

void AppendPose(const Pose& pose, std::vector<float>& values) {
  for (const auto& [t, r, s] : pose) values.insert(values.end(), {t.x, t.y, t.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z});
}

int FindBadJoint(std::span<const float> values) {
  for (size_t at = 0; at < values.size(); at += kPoseWidth) {
    const float* v = &values[at];
    const bool finite = std::all_of(v, v + kPoseWidth, [](float x) { return std::isfinite(x); });
    const float length = std::sqrt(v[3] * v[3] + v[4] * v[4] + v[5] * v[5] + v[6] * v[6]);
    if (!finite || !(std::abs(length - 1) < 1e-3f)) return static_cast<int>(at / kPoseWidth);
  }
  return -1;
}

Pose PoseFromValues(std::span<const float> values) {
  Pose pose;
  for (size_t at = 0; at < values.size(); at += kPoseWidth) {
    const float* v = &values[at];
    pose.push_back({{v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6]}, {v[7], v[8], v[9]}});
  }
  return pose;
}

}  // namespace sinew::dataset
