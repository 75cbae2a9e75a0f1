// Sampled poses of a build, to learn from and to judge by.
#ifndef SINEW_OFFLINE_PIPELINE_RANGE_OF_MOTION_H_
#define SINEW_OFFLINE_PIPELINE_RANGE_OF_MOTION_H_

#include <cstdint>
#include <vector>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/pipeline/config.h"
#include "sinew/offline/poses/sample_poses.h"

namespace sinew::pipeline {

// One kind of samples among the poses.
struct Draw {
  const char* name = "";  // as the poses' file calls them
  poses::SampleOptions options;
};

// Settings of section `poses` that decide about the draws.
inline const std::vector<std::string> kDrawKeys = {"wide", "human", "rare", "rare_spread", "inner"};

// Returns how `count` poses are drawn: the share poses.wide of them over the whole joint limits. The others are as
// people take them, the share poses.rare of these farther from the usual ones; without poses.human, and of skeletons
// that are not people's by their joints' names, they are over the inner part of the limits. Every draw has at least one
// pose and a random stream of its own.
std::vector<Draw> DrawsOf(const Config& config, const Articulation& articulation, int count, uint64_t seed);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_RANGE_OF_MOTION_H_
