#include "sinew/offline/core/hash.h"

#include <fmt/format.h>
#include <xxhash.h>

namespace sinew {

std::string HashHex(std::span<const std::byte> bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace sinew
