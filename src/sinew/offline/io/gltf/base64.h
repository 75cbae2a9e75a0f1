// Base64 encoding and decoding, for data URIs.
#ifndef SINEW_OFFLINE_IO_GLTF_BASE64_H_
#define SINEW_OFFLINE_IO_GLTF_BASE64_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sinew/offline/core/file.h"

namespace sinew::gltf {

// Decodes base64 by RFC 4648, padding required, nothing else allowed: returns no value for anything that an encoder
// would not have written.
std::optional<Bytes> DecodeBase64(std::string_view text);
std::string EncodeBase64(std::span<const std::byte> bytes);

}  // namespace sinew::gltf

#endif  // SINEW_OFFLINE_IO_GLTF_BASE64_H_
