// Pictures of a scene in space: its frames side by side, all seen by the same camera.
#ifndef SINEW_OFFLINE_SCENES_DRAW_SOLID_SCENE_H_
#define SINEW_OFFLINE_SCENES_DRAW_SOLID_SCENE_H_

#include "sinew/offline/render/image.h"
#include "sinew/offline/scenes/run_scene.h"
#include "sinew/offline/scenes/solid_scene.h"

namespace sinew::scenes {

// Surface of the object and colliders at the time of each frame. A half space is drawn as the ground, at the height of
// the first one. Throws FailedError if OpenGL cannot start.
render::Image DrawSolidScene(const SolidScene& scene, const LoadedObject& object, const SceneRun& run);

}  // namespace sinew::scenes

#endif  // SINEW_OFFLINE_SCENES_DRAW_SOLID_SCENE_H_
