// Division of a character's own animations into those that it may be learned from and those that judge the result. What
// judges neither widens a joint limit nor says how near limbs may come.
#ifndef SINEW_OFFLINE_PIPELINE_OWN_MOTIONS_H_
#define SINEW_OFFLINE_PIPELINE_OWN_MOTIONS_H_

#include <string>
#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/character/clip.h"
#include "sinew/offline/pipeline/config.h"

namespace sinew::pipeline {

// Rate at which animations are sampled.
inline constexpr float kFramesPerSecond = 30;

// Whether poses.learn_from leaves it to the character's own animations to give frames to learn from.
bool LearnsOwnAnimations(const Config& config);

// Own animations. If they may be learned from, the longest is kept for the evaluation and the others are learned from;
// where the others are short beside it, so is its first half. Otherwise all are for the evaluation.
struct OwnMotions {
  OwnMotions(const Config& config, const Character& character);

  std::vector<Clip> learned, judged;
};

// Poses spread over all motions, at most so many of each and in all.
std::vector<Pose> SpreadPoses(const std::vector<Clip>& motions, int of_each, int of_all);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_OWN_MOTIONS_H_
