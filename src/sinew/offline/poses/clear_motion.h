// Removal of self-intersections from all frames of a motion at once: the part of pose_clearance.h for motions. Internal
// to this folder.
#ifndef SINEW_OFFLINE_POSES_CLEAR_MOTION_H_
#define SINEW_OFFLINE_POSES_CLEAR_MOTION_H_

#include <vector>

#include "sinew/offline/poses/clearing_problem.h"

namespace sinew::poses {

// Clears all frames together. With e_f = q_f - q0_f the correction of frame f, adds to the sum of the objectives of all
// frames (pose_clearance.h)
//
//   s/2 sum_f sum_j w_j |e_(f+1),j - e_f,j|^2,  s = (seconds * rate)^2
//
// where seconds is ClearOptions::smooth_seconds and rate is frames_per_second, so that a correction decays like
// exp(-t / seconds). frames: finite poses; frames_per_second: above 0; motion.frames: already as long as frames.
void ClearMotion(const ClearingModel& model, const std::vector<Pose>& frames, double frames_per_second,
                 ClearedMotion& motion);

}  // namespace sinew::poses

#endif  // SINEW_OFFLINE_POSES_CLEAR_MOTION_H_
