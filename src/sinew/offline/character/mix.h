// Interpolation between two transforms.
#ifndef SINEW_OFFLINE_CHARACTER_MIX_H_
#define SINEW_OFFLINE_CHARACTER_MIX_H_

#include "sinew/offline/character/skeleton.h"

namespace sinew {

// Returns a at share 0 and b at share 1; between them rotation is interpolated by slerp, translation and scale
// linearly.
inline Transform Mix(const Transform& a, const Transform& b, float share) {
  const auto mix = [&](const runtime::Float3& from, const runtime::Float3& to) {
    return ToFloat3(ToEigen(from) + share * (ToEigen(to) - ToEigen(from)));
  };
  const Eigen::Quaternionf rotation = ToEigen(a.rotation).slerp(share, ToEigen(b.rotation)).normalized();
  return {mix(a.translation, b.translation), ToQuaternion(rotation), mix(a.scale, b.scale)};
}

}  // namespace sinew

#endif  // SINEW_OFFLINE_CHARACTER_MIX_H_
