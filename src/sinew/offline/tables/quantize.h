// Quantisation of numbers to the precisions in which a bundle stores them.
#ifndef SINEW_OFFLINE_TABLES_QUANTIZE_H_
#define SINEW_OFFLINE_TABLES_QUANTIZE_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "sinew/runtime/base/half.h"
#include "sinew/runtime/base/precision.h"

namespace sinew::tables {

// Returns the scale for storing these values as bytes: value = scale * byte, bytes from -127 to 127. 0 if all values
// are zero.
inline float ByteScale(std::span<const float> values) {
  float largest = 0;
  for (const float value : values) largest = std::max(largest, std::abs(value));
  return largest / 127;
}

// Writes `value` as element i of an array of numbers of this precision. scale: ByteScale() of the values that share the
// scale with this one; used only for Precision::kI8.
inline void Quantize(float value, float scale, runtime::Precision precision, size_t i, std::byte* array) {
  const uint16_t half = runtime::FloatToHalf(value);
  const auto byte = static_cast<int8_t>(scale > 0 ? std::clamp(std::round(value / scale), -127.0f, 127.0f) : 0.0f);
  switch (precision) {
    case runtime::Precision::kF32:
      std::memcpy(array + i * sizeof(float), &value, sizeof(float));
      return;
    case runtime::Precision::kF16:
      std::memcpy(array + i * sizeof(half), &half, sizeof(half));
      return;
    case runtime::Precision::kI8:
      std::memcpy(array + i, &byte, sizeof(byte));
      return;
  }
}

}  // namespace sinew::tables

#endif  // SINEW_OFFLINE_TABLES_QUANTIZE_H_
