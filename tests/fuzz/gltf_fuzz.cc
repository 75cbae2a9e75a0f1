// .glb and .gltf: read; what could be read must be writable, and read again to the same character.
#include <spdlog/spdlog.h>

#include <cstdlib>

#include "sinew/offline/io/gltf/gltf.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/same_character.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  const gltf::GltfOptions quiet{.skin = "", .quiet = true};
  return fuzz::Run(data, size, [&](std::span<const std::byte> bytes) {
    const Character character = gltf::ReadGltf(bytes, "fuzz.glb", "", quiet);
    const Bytes written = gltf::EncodeGlb(character);
    try {
      const Character again = gltf::ReadGltf(written, "fuzz.glb", "", quiet);
      if (!testing::Differences(character, again).empty()) std::abort();
    } catch (const Error&) {
      std::abort();  // we do not read what we wrote
    }
  });
}

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  spdlog::set_level(spdlog::level::off);
  return 0;
}
