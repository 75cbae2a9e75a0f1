// Joints placed by hand and names of joints, which `sinew rig` reads as JSON: what is accepted is complete and finite.
#include <cstdlib>
#include <set>
#include <string>

#include "sinew/offline/autorig/biped_joints.h"
#include "sinew/offline/autorig/rig_character.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  const auto text = [](std::span<const std::byte> bytes) {
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  fuzz::Run(data, size, [&](std::span<const std::byte> bytes) {
    const autorig::JointNames names = autorig::ParseNames(text(bytes), "fuzz.json");
    if (std::set<std::string>(names.begin(), names.end()).size() != names.size()) std::abort();
  });
  return fuzz::Run(data, size, [&](std::span<const std::byte> bytes) {
    for (const auto& [joint, place] : autorig::ParsePlacedJoints(text(bytes), "fuzz.json")) {
      if (joint < 0 || joint >= autorig::kJoints || !place.allFinite()) std::abort();
    }
  });
}
