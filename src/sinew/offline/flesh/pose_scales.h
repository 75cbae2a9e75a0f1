// Scales of joints in poses, which flesh does not see: a pose is simulated without them, and they are added to the
// simulated skin.
//
// Flesh is solved in rigid frames (skin_frames.h). A joint that grows, shrinks or stretches in a pose, as in cartoons,
// changes the size of what hangs on it, not how flesh pushes flesh. So with the joints' motions M0 of the pose without
// scales, M1 of the whole pose, and weights w_j of a vertex at X at rest whose simulated place is x:
//
//   x' = sum_j w_j M1_j X + (sum_j w_j L_j) (x - sum_j w_j M0_j X),   L_j the linear part of M1_j M0_j^-1
//
// The first sum is linear blend skinning of the whole pose. What flesh adds to skinning is turned and scaled as each
// joint turns and scales its surroundings. No blended matrix is inverted, which could be singular where skinning
// collapses. Where skin follows skinning, so does the result, exactly; a body that is scaled as a whole is scaled
// exactly, flesh and all; and a pose whose scales are those of rest is left as it is.
#ifndef SINEW_OFFLINE_FLESH_POSE_SCALES_H_
#define SINEW_OFFLINE_FLESH_POSE_SCALES_H_

#include <vector>

#include "sinew/offline/flesh/rest_skin.h"

namespace sinew::flesh {

// Whether the scale of a joint differs from rest by more than a millionth of it.
bool HasScales(const Skeleton& skeleton, const Pose& pose);

// Returns the pose with the scales of rest.
Pose WithoutScales(const Skeleton& skeleton, const Pose& pose);

// Adds the scales of a pose to the skin that was simulated in WithoutScales() of it. skin: of the character. parts:
// positions in model space, one entry per part of the character; in and out. Displacements on joints whose scale at
// rest is 0 cannot be carried over, and are left out.
void AddScales(const RestSkin& skin, const Skeleton& skeleton, const Pose& pose, std::vector<Points>& parts);

}  // namespace sinew::flesh

#endif  // SINEW_OFFLINE_FLESH_POSE_SCALES_H_
