// .bvh: read; what could be read must be writable, readable again, and of as many frames.
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <string_view>

#include "sinew/offline/io/bvh.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  return fuzz::Run(data, size, [](std::span<const std::byte> bytes) {
    const Clip clip = ParseBvh({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "fuzz.bvh");
    for (const Pose& pose : clip.motion.frames) {
      if (pose.size() != clip.skeleton.joints.size()) std::abort();
    }
    if (clip.motion.frame_count() > 50 || clip.skeleton.joint_count() > 200) return;
    const Clip again = ParseBvh(FormatBvh(clip), "fuzz.bvh");
    if (again.motion.frame_count() != clip.motion.frame_count()) std::abort();
  });
}

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  spdlog::set_level(spdlog::level::off);
  return 0;
}
