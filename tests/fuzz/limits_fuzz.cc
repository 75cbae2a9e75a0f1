// Joint limits as JSON: what is accepted is a limit that can be sampled, clamped to and written.
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <string_view>

#include "sinew/offline/anatomy/limits_file.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/rigs.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  static const Skeleton rig = testing::MakeRig({.names = {}});
  return fuzz::Run(data, size, [](std::span<const std::byte> bytes) {
    JointLimits limits(rig.joints.size());
    ApplyLimitsText({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "fuzz.json", rig, limits);
    for (const JointLimit& limit : limits) {
      const SwingTwist sample = SampleInside(limit, {0.9, 0.2, 0.7});
      if (!(Outside(limit, sample) <= 1e-6)) std::abort();
      if (!(Outside(limit, Clamp(limit, {2, -1, 3})) <= 1e-6)) std::abort();
    }
    JointLimits again(rig.joints.size());
    ApplyLimits(LimitsToJson(rig, limits), "again.json", rig, again);
  });
}

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  spdlog::set_level(spdlog::level::off);
  return 0;
}
