// A transform between two others.
#ifndef SINEW_OFFLINE_CHARACTER_MIX_H_
#define SINEW_OFFLINE_CHARACTER_MIX_H_

#include "sinew/offline/character/skeleton.h"

namespace sinew {

// Rotation by slerp, translation and scale linearly: a at share 0, b at 1.
inline Transform Mix(const Transform& a, const Transform& b, float share) {
  const auto mix = [&](const runtime::Float3& from, const runtime::Float3& to) {
    return ToFloat3(ToEigen(from) + share * (ToEigen(to) - ToEigen(from)));
  };
  const Eigen::Quaternionf rotation = ToEigen(a.rotation).slerp(share, ToEigen(b.rotation)).normalized();
  return {mix(a.translation, b.translation), ToQuaternion(rotation), mix(a.scale, b.scale)};
}

}  // namespace sinew

#endif  // SINEW_OFFLINE_CHARACTER_MIX_H_
