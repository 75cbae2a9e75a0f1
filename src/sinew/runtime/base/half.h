// Conversion of half floats (IEEE 754 binary16) by integer arithmetic, for code without a vector instruction that
// converts them.
#ifndef SINEW_RUNTIME_BASE_HALF_H_
#define SINEW_RUNTIME_BASE_HALF_H_

#include <cstdint>
#include <cstring>

namespace sinew::runtime {

inline float HalfToFloat(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16, rest = half & 0x7fffu;
  uint32_t word = sign | 0x7f800000u | (rest & 0x3ffu) << 13;  // infinity or NaN
  if (rest < 0x7c00u) {
    // A half's bits moved to a float's place read as the value divided by 2^112, exactly, subnormal halves included.
    const uint32_t shifted = rest << 13;
    float value = 0;
    std::memcpy(&value, &shifted, sizeof(value));
    value *= 5192296858534827628530496329220096.0f;  // 2^112
    std::memcpy(&word, &value, sizeof(word));
    word |= sign;
  }
  float result = 0;
  std::memcpy(&result, &word, sizeof(result));
  return result;
}

// Rounds to the nearest half, ties to even; values too large become infinity.
inline uint16_t FloatToHalf(float value) {
  uint32_t word = 0;
  std::memcpy(&word, &value, sizeof(word));
  const auto sign = static_cast<uint16_t>((word >> 16) & 0x8000u);
  const uint32_t magnitude = word & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<uint16_t>(sign | 0x7e00u);
  if (magnitude >= 0x477ff000u) return static_cast<uint16_t>(sign | 0x7c00u);
  if (magnitude < 0x38800000u) {
    // The result is a subnormal half: adding 0.5 leaves its bits, rounded, at the low end of the mantissa.
    float positive = 0;
    std::memcpy(&positive, &magnitude, sizeof(positive));
    positive += 0.5f;
    std::memcpy(&word, &positive, sizeof(word));
    return static_cast<uint16_t>(sign | (word - 0x3f000000u));
  }
  const uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
  return static_cast<uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
}

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_BASE_HALF_H_
