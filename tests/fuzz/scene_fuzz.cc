// Scripts of scenes: what is accepted has poses at every time.
#include <cmath>
#include <cstdlib>

#include "sinew/offline/scenes/scene_file.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  return fuzz::Run(data, size, [](std::span<const std::byte> bytes) {
    const scenes::Scene scene =
        scenes::ParseScene({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "fuzz.json");
    for (const scenes::SceneCollider& collider : scene.colliders) {
      for (const double seconds : {0.0, 0.3, 1e7}) {
        if (!std::isfinite(scenes::PoseAt(collider.keys, seconds).angle)) std::abort();
      }
    }
  });
}
