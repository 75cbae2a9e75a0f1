// Pictures of a scene as SVG: its frames side by side.
#ifndef SINEW_OFFLINE_SCENES_DRAW_SCENE_H_
#define SINEW_OFFLINE_SCENES_DRAW_SCENE_H_

#include <string>

#include "sinew/offline/scenes/run_scene.h"

namespace sinew::scenes {

// Returns an SVG file with one panel per frame, all of the same part of the plane: the object's outline and the
// colliders at that time.
std::string DrawScene(const Scene& scene, const LoadedObject& object, const SceneRun& run);

}  // namespace sinew::scenes

#endif  // SINEW_OFFLINE_SCENES_DRAW_SCENE_H_
