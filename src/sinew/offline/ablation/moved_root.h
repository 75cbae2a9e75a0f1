// A method on bodies that stand elsewhere, upside down, as in Fig. 10 of "MultiResGNet" (T. Li et al.).
#ifndef SINEW_OFFLINE_ABLATION_MOVED_ROOT_H_
#define SINEW_OFFLINE_ABLATION_MOVED_ROOT_H_

#include <string>

#include "sinew/offline/survey/survey.h"

namespace sinew::ablation {

// Returns the pose with all roots moved.
Pose MoveRoots(const Skeleton& skeleton, const Eigen::Affine3f& motion, Pose pose);

// Half a turn about the x axis, and up and to the side by as much as the body is large.
Eigen::Affine3f MovedRoot(float size);

// Answers every pose with its roots moved so, and moves the shape back: a method that does not see where a body stands
// has the same errors as without. Its frames must have poses, so it cannot be a recorded method.
survey::BodyMethod MovedMethod(const std::string& name, const survey::BodyMethod& method);

}  // namespace sinew::ablation

#endif  // SINEW_OFFLINE_ABLATION_MOVED_ROOT_H_
