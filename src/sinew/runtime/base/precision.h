// Number formats in which a bundle stores the weights and modes of its correctives.
#ifndef SINEW_RUNTIME_BASE_PRECISION_H_
#define SINEW_RUNTIME_BASE_PRECISION_H_

#include <cstdint>

namespace sinew::runtime {

enum class Precision : uint32_t {
  kF32 = 0,  // 32-bit floats
  kF16 = 1,  // half floats
  kI8 = 2    // bytes from -127 to 127, times a float scale shared by a block of them
};

constexpr uint32_t BytesOf(Precision precision) {
  return precision == Precision::kF32 ? 4u : precision == Precision::kF16 ? 2u : 1u;
}

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_BASE_PRECISION_H_
