// poses.json: the manifest of a pose file.
#include <cstdlib>
#include <string_view>

#include "sinew/offline/io/poses.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  return fuzz::Run(data, size, [](std::span<const std::byte> bytes) {
    const PoseManifest manifest =
        ParsePoseManifest({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "fuzz.json");
    for (int j = 0; j < manifest.clip.skeleton.joint_count(); ++j) {
      if (manifest.clip.skeleton.joints[j].parent >= j) std::abort();
    }
    if (manifest.rotation.file.empty()) std::abort();
  });
}
