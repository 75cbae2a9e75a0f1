// What animated pictures need beyond still ones: scenes that are moved, and the room that all frames take together.
#ifndef SINEW_OFFLINE_RENDER_ANIMATION_H_
#define SINEW_OFFLINE_RENDER_ANIMATION_H_

#include "sinew/offline/render/scene.h"

namespace sinew::render {

// Positions, normals and bones, by x -> rotation about the vertical axis through `center`, then + shift.
void MoveScene(Scene& scene, const Eigen::Vector3f& center, float degrees, const Eigen::Vector3f& shift);

// The outermost points in some 200 directions: enough to frame the whole, and few enough to keep for every frame.
Points OutermostPoints(const Points& points);

// Outermost points of everything that a turn about the vertical axis through `center` sweeps.
Points SweptPoints(const Points& points, const Eigen::Vector3f& center);

}  // namespace sinew::render

#endif  // SINEW_OFFLINE_RENDER_ANIMATION_H_
