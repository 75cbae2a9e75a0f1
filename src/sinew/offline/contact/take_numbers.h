// Numbers that files of contact samples hold, with checks. Internal to this folder.
#ifndef SINEW_OFFLINE_CONTACT_TAKE_NUMBERS_H_
#define SINEW_OFFLINE_CONTACT_TAKE_NUMBERS_H_

#include <cmath>
#include <string>
#include <vector>

#include "sinew/offline/core/binary.h"

namespace sinew::contact {

inline double TakeFinite(BinaryReader& in, const std::string& place) {
  const auto value = in.Take<double>(place);
  if (!std::isfinite(value)) in.Fail(place, "is not a finite number");
  return value;
}

// Takes half floats, all of them finite.
inline std::vector<uint16_t> TakeHalves(BinaryReader& in, size_t count, const std::string& place) {
  constexpr uint16_t kExponent = 0x7c00;  // bits that are all set in what is infinite or not a number
  std::vector<uint16_t> halves = in.Take<uint16_t>(count, place);
  for (const uint16_t half : halves) {
    if ((half & kExponent) == kExponent) in.Fail(place, "has a number that is not finite");
  }
  return halves;
}

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_TAKE_NUMBERS_H_
