// A 64-bit checksum that detects accidental damage of a file. It offers no protection against deliberate changes.
#ifndef SINEW_RUNTIME_BASE_CHECKSUM_H_
#define SINEW_RUNTIME_BASE_CHECKSUM_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace sinew::runtime {

// Returns the checksum of `bytes`, which may be empty (docs/formats/bundle.md). Eight independent sums run side by
// side, each over every eighth 64-bit word, so that eight multiplications are in flight at once. The step of a sum x,
// rotate((x ^ word) * odd), is invertible, so any change within one word changes the result.
inline uint64_t Checksum(std::span<const std::byte> bytes) noexcept {
  constexpr uint64_t kOdd = 0x9E3779B97F4A7C15ull;
  constexpr size_t kWords = 8, kLine = kWords * sizeof(uint64_t);
  const auto mix = [](uint64_t sum, uint64_t word) {
    const uint64_t product = (sum ^ word) * kOdd;
    return product << 29 | product >> 35;
  };
  uint64_t sums[kWords] = {1, 2, 3, 4, 5, 6, 7, 8};
  uint64_t words[kWords];
  size_t at = 0;
  for (; at + kLine <= bytes.size(); at += kLine) {
    std::memcpy(words, bytes.data() + at, kLine);
    for (size_t k = 0; k < kWords; ++k) sums[k] = mix(sums[k], words[k]);
  }
  for (uint64_t& word : words) word = 0;
  if (at < bytes.size()) std::memcpy(words, bytes.data() + at, bytes.size() - at);
  uint64_t result = bytes.size();
  for (size_t k = 0; k < kWords; ++k) result = mix(result, mix(sums[k], words[k]));
  return result;
}

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_BASE_CHECKSUM_H_
