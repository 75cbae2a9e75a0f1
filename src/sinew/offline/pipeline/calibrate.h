// Measures this machine and the character before a build, for an estimate that is worth something: how long a pose
// takes to simulate depends on the character's shape and joints, and how much there is to learn on what of it is soft.
// No formula of its numbers of vertices and joints tells either within a factor of five.
#ifndef SINEW_OFFLINE_PIPELINE_CALIBRATE_H_
#define SINEW_OFFLINE_PIPELINE_CALIBRATE_H_

#include "sinew/offline/pipeline/chain.h"

namespace sinew::pipeline {

// Default of `seconds` below: about twenty poses of an ordinary character on two threads.
constexpr double kCalibrationSeconds = 8;

// Does a little of what a build would: draws poses, simulates a few of them on all threads, makes the levels, trains on
// the simulated frames for a moment, draws a picture (rehearse.h); and times a fixed computation. Writes nothing.
// Nothing is simulated for a character without flesh. Durations are processor times, so that other programs disturb
// them little; Calibration::share says how much those slow the build down. An embedded character is made for it and
// stored in `subject`, so that the build does not make it again. A character without weights is given simple ones.
// seconds: after so long no further pose is begun; it ends earlier if the poses so far take similar times. Building the
// flesh and the first poses, one per thread, are always finished. At more tetrahedra than the quick quality has, that
// quality is measured and scaled.
Calibration Calibrate(const Request& request, Subject& subject, double seconds = kCalibrationSeconds);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_CALIBRATE_H_
