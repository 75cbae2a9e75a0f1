// Pictures of a scene as SVG: its frames side by side.
#ifndef SINEW_OFFLINE_SCENES_DRAW_SCENE_H_
#define SINEW_OFFLINE_SCENES_DRAW_SCENE_H_

#include <string>

#include "sinew/offline/scenes/run_scene.h"

namespace sinew::scenes {

// Returns an SVG file with one panel per frame, all of the same part of the plane: the object's outline and the
// colliders at that time. other: null, or another run of the scene, whose outline is drawn dashed over it.
std::string DrawScene(const Scene& scene, const LoadedObject& object, const SceneRun& run,
                      const SceneRun* other = nullptr);

}  // namespace sinew::scenes

#endif  // SINEW_OFFLINE_SCENES_DRAW_SCENE_H_
