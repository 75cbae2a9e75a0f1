// A short exercise for the biped that shows in four seconds what skinning does at shoulders, elbows, hips and knees.
#ifndef SINEW_OFFLINE_EMBEDDED_BIPED_MOTION_H_
#define SINEW_OFFLINE_EMBEDDED_BIPED_MOTION_H_

#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/embedded/kind.h"

namespace sinew::embedded {

// Returns a loop in which the biped stands at ease, flexes both arms, squats, reaches up, lifts a knee with the trunk
// turned, and returns to its first pose. The left foot stays in place, flat on the ground. 30 keys per second,
// interpolated linearly; the last key equals the first.
// joints: the 24 joints of a biped of any shape.
Animation BipedExercise(const std::vector<FigureJoint>& joints);

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_BIPED_MOTION_H_
