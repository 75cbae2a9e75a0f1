// A deformer. The checksum is set right first, so that what it guards is reached.
#include <cstdlib>

#include "sinew/offline/core/binary.h"
#include "sinew/offline/deformer/deformer_file.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  return fuzz::Run(data, size, [](std::span<const std::byte> bytes) {
    Bytes file(bytes.begin(), bytes.end());
    SealFile(file);
    const deformer::Deformer deformer = deformer::ParseDeformer(file, "deformer.bin");
    const Bytes again = deformer::FormatDeformer(deformer);
    if (deformer::FormatDeformer(deformer::ParseDeformer(again, "deformer.bin")) != again) std::abort();
  });
}
