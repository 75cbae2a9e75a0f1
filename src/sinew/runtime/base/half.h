// Half floats (IEEE 754 binary16) by integer arithmetic, for the places where no vector instruction converts them.
#ifndef SINEW_RUNTIME_BASE_HALF_H_
#define SINEW_RUNTIME_BASE_HALF_H_

#include <cstdint>
#include <cstring>

namespace sinew::runtime {

inline float HalfToFloat(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16, rest = half & 0x7fffu;
  uint32_t word = sign | 0x7f800000u | (rest & 0x3ffu) << 13;  // infinity, or not a number
  if (rest < 0x7c00u) {
    // Halves with the exponent of a float: too small by 2^112, exactly, subnormal ones included.
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

// To the nearest, ties to even. What is too large becomes infinity.
inline uint16_t FloatToHalf(float value) {
  uint32_t word = 0;
  std::memcpy(&word, &value, sizeof(word));
  const auto sign = static_cast<uint16_t>((word >> 16) & 0x8000u);
  const uint32_t magnitude = word & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<uint16_t>(sign | 0x7e00u);
  if (magnitude >= 0x477ff000u) return static_cast<uint16_t>(sign | 0x7c00u);
  if (magnitude < 0x38800000u) {
    // Subnormal as a half: adding 0.5 leaves the right bits at the end of the mantissa, rounded.
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
