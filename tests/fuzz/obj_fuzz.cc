// .obj: read; what could be read must be writable as OBJ and as glTF, and read again.
#include <spdlog/spdlog.h>

#include <cstdlib>

#include "sinew/offline/io/gltf/gltf.h"
#include "sinew/offline/io/obj.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  return fuzz::Run(data, size, [](std::span<const std::byte> bytes) {
    const Character character = ReadObj(bytes, "fuzz.obj");
    const std::string text = EncodeObj(character);
    try {
      const Character again = ReadObj(std::as_bytes(std::span(text)), "fuzz.obj");
      if (again.triangle_count() != character.triangle_count()) std::abort();
    } catch (const Error&) {
      std::abort();  // we do not read what we wrote
    }
    gltf::EncodeGlb(character);  // may fail for a mesh without triangles
  });
}

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  spdlog::set_level(spdlog::level::off);
  return 0;
}
