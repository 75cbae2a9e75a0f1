// A short exercise for the biped: what skinning does at shoulders, elbows, hips and knees, in four seconds.
#ifndef SINEW_OFFLINE_EMBEDDED_BIPED_MOTION_H_
#define SINEW_OFFLINE_EMBEDDED_BIPED_MOTION_H_

#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/embedded/kind.h"

namespace sinew::embedded {

// Stands at ease, flexes both arms, squats, reaches up, lifts a knee with the trunk turned, and is back where it
// began. joints: the biped's 24 of any shape; the left foot stays where it stands, flat. 30 keys a second, linear,
// the last equal to the first.
Animation BipedExercise(const std::vector<FigureJoint>& joints);

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_BIPED_MOTION_H_
