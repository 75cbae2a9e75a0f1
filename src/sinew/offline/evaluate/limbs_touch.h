// Contact of limbs that are far from each other in the skeleton.
#ifndef SINEW_OFFLINE_EVALUATE_LIMBS_TOUCH_H_
#define SINEW_OFFLINE_EVALUATE_LIMBS_TOUCH_H_

#include <vector>

#include "sinew/offline/lod/hierarchy.h"

namespace sinew::evaluate {

// Returns the joint that has the largest weight at each point of a level, the first of equal ones; 0 for points without
// weights.
std::vector<int> StrongestJoints(const lod::Level& level);

// Whether limbs that are far from each other in the skeleton intersect, for example a hand and a thigh: no network that
// sees only a few joints can predict that. posed_points: points of the level in model space, by skinning alone.
bool LimbsTouch(const lod::Level& level, const Points& posed_points);

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_LIMBS_TOUCH_H_
