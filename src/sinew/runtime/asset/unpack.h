// A bundle with floats in place of all half floats, made of one that has some: for targets without an instruction that
// converts them, such as WebAssembly, where converting them in every frame takes several times as long as reading
// floats. The numbers are the same, and so are results. Bytes stay. Done once, after a bundle is opened.
#ifndef SINEW_RUNTIME_ASSET_UNPACK_H_
#define SINEW_RUNTIME_ASSET_UNPACK_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "sinew/runtime/asset/bundle.h"
#include "sinew/runtime/base/status.h"

namespace sinew::runtime {

// Number of bytes that Unpack() writes; 0 if the bundle has no half floats.
uint64_t UnpackedBytes(const Bundle& bundle) noexcept;

// Writes the unpacked bundle as a whole file, to be opened by Bundle::Open(). to: UnpackedBytes() bytes at a multiple
// of 64, apart from the bundle's own, which may be freed afterwards if `bundle` is not used any more. kInvalidArgument:
// there is nothing to unpack, or `to` has another size or is misaligned; then nothing is written.
Status Unpack(const Bundle& bundle, std::span<std::byte> to) noexcept;

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_ASSET_UNPACK_H_
