// The weights of morph targets that a glTF file animates.
#include <spdlog/spdlog.h>

#include <cstdlib>

#include "sinew/offline/io/gltf/gltf.h"
#include "sinew/offline/io/morph_animation.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  return fuzz::Run(data, size, [](std::span<const std::byte> bytes) {
    const Character character = gltf::ReadGltf(bytes, "fuzz.glb", "");
    for (const MorphAnimation& animation : ReadMorphAnimations(character, "fuzz.glb")) {
      for (size_t p = 0; p < character.parts.size() && animation.key_count() > 0; ++p) {
        const Part& part = character.parts[p];
        const Points positions = MorphedPositions(part, animation.weights[p], animation.key_count() - 1);
        if (positions.rows() != part.mesh.positions.rows()) std::abort();
      }
    }
  });
}

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  spdlog::set_level(spdlog::level::off);
  return 0;
}
