// .ply: read; what could be read must come back from what we write.
#include <cstdlib>

#include "sinew/offline/io/ply.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  return fuzz::Run(data, size, [](std::span<const std::byte> bytes) {
    const PlyFile ply = ParsePly(bytes, "fuzz.ply");
    const Bytes written = FormatPly(ply);
    if (FormatPly(ParsePly(written, "fuzz.ply")) != written) std::abort();
    const Character character = PlyCharacter(ply, "fuzz.ply");
    if (character.vertex_count() == 0) std::abort();
  });
}
