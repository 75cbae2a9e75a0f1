// Helpers for animated pictures: moving scenes, and points that bound all frames together.
#ifndef SINEW_OFFLINE_RENDER_ANIMATION_H_
#define SINEW_OFFLINE_RENDER_ANIMATION_H_

#include "sinew/offline/render/scene.h"

namespace sinew::render {

// Rotates positions, normals and bones about the vertical axis through `center`, then adds `shift`.
void MoveScene(Scene& scene, const Eigen::Vector3f& center, float degrees, const Eigen::Vector3f& shift);

// Returns the outermost points in 200 directions: enough to frame all points, and few enough to keep for every frame.
Points OutermostPoints(const Points& points);

// Returns the outermost points of the volume that the points sweep when turned about the vertical axis through
// `center`.
Points SweptPoints(const Points& points, const Eigen::Vector3f& center);

}  // namespace sinew::render

#endif  // SINEW_OFFLINE_RENDER_ANIMATION_H_
