// Checks of blocks of memory that come from a file: alignment, array extents, index ranges, numbers. Every table's
// Open() calls them before anything in its block is used.
#ifndef SINEW_RUNTIME_BASE_BLOCK_CHECKS_H_
#define SINEW_RUNTIME_BASE_BLOCK_CHECKS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "sinew/runtime/base/precision.h"

namespace sinew::runtime {

constexpr uint64_t kBlockAlignment = 64;

// Returns the header at the start of a block, or null if the block is misaligned or too short to hold one.
template <typename Header>
const Header* HeaderOf(std::span<const std::byte> block) {
  const std::byte* base = block.data();
  const bool aligned = base != nullptr && reinterpret_cast<uintptr_t>(base) % kBlockAlignment == 0;
  return aligned && block.size() >= sizeof(Header) ? reinterpret_cast<const Header*>(base) : nullptr;
}

// Whether an array of `count` elements of `element` bytes each, followed by `padding` bytes, starts at a multiple of
// kBlockAlignment and lies within a block of `bytes`. `count` is below 2^34 and `element` below 2^29, so that their
// product cannot overflow.
inline bool ArrayFits(uint64_t offset, uint64_t count, uint32_t element, uint32_t padding, uint64_t bytes) {
  return offset % kBlockAlignment == 0 && offset <= bytes && count * element + padding <= bytes - offset;
}

// Whether every value is below `bound`; for 32-bit values `bound` is at most 2^31. Written without branches so that
// compilers vectorise it: opening a bundle checks millions of indices.
inline bool AllBelow(const uint16_t* values, uint64_t count, uint32_t bound) {
  uint16_t most = 0;
  for (uint64_t i = 0; i < count; ++i) most = values[i] > most ? values[i] : most;
  return count == 0 || most < bound;
}
inline bool AllBelow(const uint32_t* values, uint64_t count, uint32_t bound) {
  uint32_t signs = 0;  // sign bits of each value and of (bound - 1 - value)
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

// Whether every number is finite: neither infinite nor NaN, whose exponents have all bits set.
inline bool AllFinite(const float* values, uint64_t count) {
  uint32_t most = 0;
  for (uint64_t i = 0; i < count; ++i) {
    uint32_t word = 0;
    std::memcpy(&word, values + i, sizeof(word));
    word &= 0x7fffffffu;
    most = word > most ? word : most;
  }
  return most < 0x7f800000u;
}
// The same of numbers in a precision of the runtime; bytes are always finite.
inline bool AllFinite(const std::byte* values, uint64_t count, Precision precision) {
  if (precision == Precision::kF32) return AllFinite(reinterpret_cast<const float*>(values), count);
  if (precision == Precision::kI8) return true;
  const auto* halves = reinterpret_cast<const uint16_t*>(values);
  uint16_t most = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const auto word = static_cast<uint16_t>(halves[i] & 0x7fffu);
    most = word > most ? word : most;
  }
  return most < 0x7c00u;
}

// Sets *array to the array that starts `offset` bytes after the header.
template <typename T, typename Header>
void PointInto(const Header* header, uint64_t offset, const T** array) {
  *array = reinterpret_cast<const T*>(reinterpret_cast<const std::byte*>(header) + offset);
}

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_BASE_BLOCK_CHECKS_H_
