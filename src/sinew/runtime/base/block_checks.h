// How a block of memory that comes from a file is believed: never before it is checked.
#ifndef SINEW_RUNTIME_BASE_BLOCK_CHECKS_H_
#define SINEW_RUNTIME_BASE_BLOCK_CHECKS_H_

#include <cstddef>
#include <cstdint>
#include <span>

namespace sinew::runtime {

constexpr uint64_t kBlockAlignment = 64;

// The header at the start of a block; null if the block is misaligned or too short to have one.
template <typename Header>
const Header* HeaderOf(std::span<const std::byte> block) {
  const std::byte* base = block.data();
  const bool aligned = base != nullptr && reinterpret_cast<uintptr_t>(base) % kBlockAlignment == 0;
  return aligned && block.size() >= sizeof(Header) ? reinterpret_cast<const Header*>(base) : nullptr;
}

// An array of `count` elements and `padding` bytes behind it lie within a block of `bytes`, the array aligned. `count`
// is below 2^34 and `element` below 2^29, so that their product cannot overflow.
inline bool ArrayFits(uint64_t offset, uint64_t count, uint32_t element, uint32_t padding, uint64_t bytes) {
  return offset % kBlockAlignment == 0 && offset <= bytes && count * element + padding <= bytes - offset;
}

// Whether every value is below the bound, which is at most 2^31 for values of 32 bits. Without branches, so that
// compilers make vectors of it: opening a bundle looks at millions of indices.
inline bool AllBelow(const uint16_t* values, uint64_t count, uint32_t bound) {
  uint16_t most = 0;
  for (uint64_t i = 0; i < count; ++i) most = values[i] > most ? values[i] : most;
  return count == 0 || most < bound;
}
inline bool AllBelow(const uint32_t* values, uint64_t count, uint32_t bound) {
  uint32_t signs = 0;  // of the value, and of what it is short of the last that is allowed
  for (uint64_t i = 0; i < count; ++i) signs |= values[i] | (bound - 1 - values[i]);
  return signs >> 31 == 0;
}

// Whether every value is a multiple of `unit`, a power of two.
template <typename T>
bool AllMultiples(const T* values, uint64_t count, uint32_t unit) {
  T bits = 0;
  for (uint64_t i = 0; i < count; ++i) bits |= values[i];
  return (bits & (unit - 1)) == 0;
}

// The array that starts `offset` bytes after the header, wherever it is going to be kept.
template <typename T, typename Header>
void PointInto(const Header* header, uint64_t offset, const T** array) {
  *array = reinterpret_cast<const T*>(reinterpret_cast<const std::byte*>(header) + offset);
}

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_BASE_BLOCK_CHECKS_H_
