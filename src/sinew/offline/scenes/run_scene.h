// Runs a scene, and measures it.
#ifndef SINEW_OFFLINE_SCENES_RUN_SCENE_H_
#define SINEW_OFFLINE_SCENES_RUN_SCENE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/dynamics/field_table.h"
#include "sinew/offline/scenes/object_file.h"
#include "sinew/offline/scenes/scene_file.h"

namespace sinew::scenes {

// Energies after a step, in joule per metre of depth.
struct StepEnergy {
  double seconds = 0, kinetic = 0, elastic = 0, height = 0;
  int iterations = 0, touching = 0;
};

// Shape at a time.
struct SceneFrame {
  double seconds = 0;
  std::vector<float> positions;  // of all nodes, x and y
};

struct SceneRun {
  std::vector<StepEnergy> steps;
  std::vector<SceneFrame> frames;    // as many as were asked for, the start and the end among them
  std::vector<double> milliseconds;  // of each step
  uint32_t flags = 0;                // all flags that steps had (dynamics/simulation.h)
  int not_converged = 0;             // steps that reached the limit of iterations
  std::string state_hash;            // of the last state: same scene, build and CPU, same hash
};

// Whether a collider of a scene has the shape that a field was trained for.
bool HasShapeOf(const SceneCollider& collider, const dynamics::FieldTable& field);

// frames: how many shapes to keep, evenly spread, at least 1. field: null, or how the object gives way to those
// colliders of the scene that have its shape. Throws UsageError if a driven handle does not exist, for more than 10
// million steps, and for a field of another object or of none of the colliders.
SceneRun RunScene(const Scene& scene, const LoadedObject& object, int frames,
                  const dynamics::FieldTable* field = nullptr);

}  // namespace sinew::scenes

#endif  // SINEW_OFFLINE_SCENES_RUN_SCENE_H_
