// .pc2 and .mdd: what the header says must be inside of the file.
#include <cstdlib>

#include "sinew/offline/io/point_cache.h"
#include "tests/fuzz/fuzz.h"

namespace {

void Check(const sinew::PointCacheLayout& layout, size_t size) {
  if (layout.frames < 1 || layout.points < 1) std::abort();
  if (layout.data_start + layout.frames * layout.frame_bytes() != size) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  fuzz::Run(data, size,
            [](std::span<const std::byte> bytes) { Check(ParseMdd(bytes, bytes.size(), "fuzz.mdd"), bytes.size()); });
  return fuzz::Run(data, size, [](std::span<const std::byte> bytes) {
    Check(ParsePc2(bytes, bytes.size(), "fuzz.pc2"), bytes.size());
  });
}
