// .npy: read; what could be read must come back from what we write.
#include <cstdlib>

#include "sinew/offline/io/npy.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  return fuzz::Run(data, size, [](std::span<const std::byte> bytes) {
    const NpyArray array = ParseNpy(bytes, "fuzz.npy");
    if (array.ToDoubles().size() != static_cast<size_t>(array.size())) std::abort();
    const NpyArray again = ParseNpy(FormatNpy(array), "fuzz.npy");
    if (again.shape != array.shape || again.data != array.data) std::abort();
  });
}
