// Runs a scene, and measures it.
#ifndef SINEW_OFFLINE_SCENES_RUN_SCENE_H_
#define SINEW_OFFLINE_SCENES_RUN_SCENE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/dynamics/field_table.h"
#include "sinew/offline/scenes/object_file.h"
#include "sinew/offline/scenes/scene_file.h"
#include "sinew/offline/scenes/solid_scene.h"

namespace sinew::scenes {

// Energies after a step, in joule, in the plane per metre of depth.
struct StepEnergy {
  double seconds = 0, kinetic = 0, elastic = 0, height = 0;
  int iterations = 0, touching = 0;
};

// Shape at a time.
struct SceneFrame {
  double seconds = 0;
  std::vector<float> positions;  // of all nodes, two or three coordinates each
  std::vector<double> state;     // of the handles; in full space positions again
};

struct SceneRun {
  std::vector<StepEnergy> steps;
  std::vector<SceneFrame> frames;    // as many as were asked for, the start and the end among them
  std::vector<double> milliseconds;  // of each step
  uint32_t flags = 0;                // all flags that steps had (dynamics/simulation.h)
  int not_converged = 0;             // steps that reached the limit of iterations
  double passed_at = -1;             // seconds after which the object was below Scene::finish; negative: never
  std::string state_hash;            // of the last state: same scene, build and CPU, same hash
};

// Whether a collider of a scene has the shape that a field was trained for.
bool HasShapeOf(const SceneCollider& collider, const dynamics::FieldTable& field);

// Throws UsageError if the object cannot be simulated in the plane, with fields up to a width, or the scene drives a
// handle that it does not have. field_width: 0 without fields.
void CheckScene(const Scene& scene, const LoadedObject& object, int field_width);

// frames: how many shapes to keep, evenly spread, at least 1. field: null, or how the object gives way to those
// colliders of the scene that have its shape. Throws UsageError if a driven handle does not exist, for more than 10
// million steps, for a field of another object or of none of the colliders, and for an object in space.
SceneRun RunScene(const Scene& scene, const LoadedObject& object, int frames,
                  const dynamics::FieldTable* field = nullptr);

// The same in space.
SceneRun RunScene(const SolidScene& scene, const LoadedObject& object, int frames);

// The same scene by all nodes of the object (full_space.h). Throws UsageError for a scene with driven handles.
SceneRun RunFullScene(const Scene& scene, const LoadedObject& object, int frames);

}  // namespace sinew::scenes

#endif  // SINEW_OFFLINE_SCENES_RUN_SCENE_H_
