// Sampled poses of a build, to learn from and to judge by.
#ifndef SINEW_OFFLINE_PIPELINE_RANGE_OF_MOTION_H_
#define SINEW_OFFLINE_PIPELINE_RANGE_OF_MOTION_H_

#include <cstdint>
#include <vector>

#include "sinew/offline/pipeline/config.h"
#include "sinew/offline/poses/draws.h"

namespace sinew::pipeline {

// Settings of section `poses` that decide about the draws.
inline const std::vector<std::string> kDrawKeys = {"wide", "human", "rare", "rare_spread", "inner"};

// Returns how `count` poses are drawn, as the section `poses` of the settings says (poses/draws.h).
std::vector<poses::Draw> DrawsOf(const Config& config, const Articulation& articulation, int count, uint64_t seed);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_RANGE_OF_MOTION_H_
