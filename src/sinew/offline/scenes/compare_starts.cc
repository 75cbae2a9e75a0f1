#include "sinew/offline/scenes/compare_starts.h"

#include <numbers>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/random.h"

namespace sinew::scenes {
namespace {

// Largest difference in velocity, along each axis, in sizes of the object per second.
constexpr double kVelocity = 0.3;

Scene StartOf(const Scene& scene, const LoadedObject& object, int start, uint64_t seed) {
  Scene own = scene;
  if (start == 0) return own;
  Random random(seed, static_cast<uint64_t>(start));
  DrawStart(random, object, own);
  return own;
}

}  // namespace

void DrawStart(Random& random, const LoadedObject& object, Scene& scene) {
  scene.angle = random.Uniform(0, 2 * std::numbers::pi);
  for (int r = 0; r < 2; ++r) scene.velocity[r] += kVelocity * object.table.header().size * random.Uniform(-1, 1);
}

std::vector<StartResult> CompareStarts(const Scene& scene, const LoadedObject& object,
                                       const dynamics::FieldTable* field, int starts, uint64_t seed) {
  if (!scene.finish) throw UsageError("the scene has nothing to pass; give 'floater', or a script with a \"finish\"");
  std::vector<StartResult> results(static_cast<size_t>(starts));
  ParallelFor(starts, 1, [&](int i) {
    const Scene own = StartOf(scene, object, i, seed);
    StartResult& result = results[static_cast<size_t>(i)];
    result.angle = own.angle;
    result.velocity = own.velocity;
    result.linear = RunScene(own, object, 1).passed_at;
    if (field != nullptr) result.field = RunScene(own, object, 1, field).passed_at;
    result.full = RunFullScene(own, object, 1).passed_at;
  });
  return results;
}

}  // namespace sinew::scenes
