// dataset.json: what could be read must come back from what we write.
#include <cstdlib>
#include <string_view>

#include "sinew/offline/dataset/manifest.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  return fuzz::Run(data, size, [](std::span<const std::byte> bytes) {
    const dataset::DatasetManifest manifest =
        dataset::ParseDatasetManifest({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "dataset.json");
    for (const dataset::DatasetFrame& frame : manifest.frames) {
      if (static_cast<size_t>(frame.motion) >= manifest.motions.size()) std::abort();
      if (static_cast<size_t>(frame.character) >= manifest.characters.size()) std::abort();
    }
    for (const dataset::DatasetChunk& chunk : manifest.chunks) {
      if (chunk.first_frame + chunk.frame_count > static_cast<int>(manifest.frames.size())) std::abort();
    }
    const std::string text = dataset::FormatDatasetManifest(manifest);
    if (dataset::FormatDatasetManifest(dataset::ParseDatasetManifest(text, "dataset.json")) != text) std::abort();
  });
}
