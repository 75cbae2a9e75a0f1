// Rehearsal of the stages of a build that follow the simulation, with a few frames, for an estimate of how long they
// take: how many networks are trained depends on how much of the character is soft and on what the levels leave of it.
#ifndef SINEW_OFFLINE_PIPELINE_REHEARSE_H_
#define SINEW_OFFLINE_PIPELINE_REHEARSE_H_

#include <vector>

#include "sinew/offline/pipeline/chain.h"

namespace sinew::pipeline {

// Ground truth of a few poses.
struct RehearsalFrames {
  std::vector<Pose> poses;
  std::vector<Points> shapes;  // one per pose; vertices in the order of the character's parts
};

// Makes the levels of detail, trains on the frames for a moment by every method that the build uses, and draws the
// character. Stores the durations and the numbers of networks in `calibration`; what fails stays unmeasured, and is for
// the build to report. character: with weights. frames: may be empty if nothing is flesh.
void Rehearse(const Request& request, const Character& character, const JointLimits& limits,
              const RehearsalFrames& frames, Calibration& calibration);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_REHEARSE_H_
