// A scene from several starts, in the linear subspace, with learned contact and by all nodes: which of them pass
// (contact-centric deformation learning, doi 10.1145/3528223.3530182, figure 9).
#ifndef SINEW_OFFLINE_SCENES_COMPARE_STARTS_H_
#define SINEW_OFFLINE_SCENES_COMPARE_STARTS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "sinew/offline/core/random.h"
#include "sinew/offline/scenes/run_scene.h"

namespace sinew::scenes {

// Seconds are those after which the whole object was below Scene::finish; negative: never.
struct StartResult {
  double angle = 0;                                    // of the object at the start, in radians
  Eigen::Vector2d velocity = Eigen::Vector2d::Zero();  // in metre per second
  double linear = -1;
  std::optional<double> field;  // empty: no field was given
  double full = -1;
};

// Draws angle and velocity of a scene's start.
void DrawStart(Random& random, const LoadedObject& object, Scene& scene);

// starts: how many; the first is the scene's own, the others have angles and velocities drawn from `seed`. Starts run
// in parallel. Throws UsageError for a scene without a finish, and where RunScene() and RunFullScene() do.
std::vector<StartResult> CompareStarts(const Scene& scene, const LoadedObject& object,
                                       const dynamics::FieldTable* field, int starts, uint64_t seed);

}  // namespace sinew::scenes

#endif  // SINEW_OFFLINE_SCENES_COMPARE_STARTS_H_
