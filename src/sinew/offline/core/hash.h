// Content hashes, which tell from which inputs a file was made, and whether it has changed. Not cryptographic.
#ifndef SINEW_OFFLINE_CORE_HASH_H_
#define SINEW_OFFLINE_CORE_HASH_H_

#include <cstddef>
#include <span>
#include <string>

namespace sinew {

// XXH3, 128 bits, as 32 hexadecimal digits.
std::string HashHex(std::span<const std::byte> bytes);

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_HASH_H_
