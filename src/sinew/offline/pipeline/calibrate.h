// Measures this machine and the character before a build, for an estimate that is worth something: how long a pose
// takes to simulate depends on the character's shape and joints, and no formula of its numbers of vertices and joints
// tells it within a factor of five.
#ifndef SINEW_OFFLINE_PIPELINE_CALIBRATE_H_
#define SINEW_OFFLINE_PIPELINE_CALIBRATE_H_

#include "sinew/offline/pipeline/chain.h"

namespace sinew::pipeline {

// Default of `seconds` below: about ten poses of an ordinary character on two threads.
constexpr double kCalibrationSeconds = 12;

// Simulates a few of the poses that a build would, on all threads, and times a fixed computation. Writes nothing.
// An embedded character is made for it and stored in `subject`, so that the build does not make it again. A character
// without weights is given simple ones.
// seconds: after so long no further pose is begun. Building the flesh and the first poses, one per thread, are always
// finished. At more tetrahedra than the quick quality has, that quality is measured and scaled.
Calibration Calibrate(const Request& request, Subject& subject, double seconds = kCalibrationSeconds);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_CALIBRATE_H_
