// Clears the frames of a motion together (pose_clearance.h). Not for other folders.
#ifndef SINEW_OFFLINE_POSES_CLEAR_MOTION_H_
#define SINEW_OFFLINE_POSES_CLEAR_MOTION_H_

#include <vector>

#include "sinew/offline/poses/clearing_problem.h"

namespace sinew::poses {

// With e_f = q_f - q0_f the correction of frame f, adds to what each frame minimises
//
//   s/2 sum_f sum_j w_j |e_(f+1),j - e_f,j|^2,  s = (seconds * rate)^2:
//
// a correction dies away like exp(-t / seconds). frames_per_second is above 0, frames are finite, `motion` has as many.
void ClearMotion(const ClearingModel& model, const std::vector<Pose>& frames, double frames_per_second,
                 ClearedMotion& motion);

}  // namespace sinew::poses

#endif  // SINEW_OFFLINE_POSES_CLEAR_MOTION_H_
