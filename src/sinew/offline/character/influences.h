// The joints that move a point, with their weights.
#ifndef SINEW_OFFLINE_CHARACTER_INFLUENCES_H_
#define SINEW_OFFLINE_CHARACTER_INFLUENCES_H_

#include <algorithm>
#include <array>

#include "sinew/offline/character/character.h"

namespace sinew {

struct Influences {
  int count = 0;                                    // number of joints; 0: no joint moves the point
  std::array<int, kMaxInfluences> joints = {};      // strongest first
  std::array<double, kMaxInfluences> weights = {};  // positive
};

// Returns the influences of vertex v with the weights as stored, which sum to 1 up to rounding. Slots of weight 0 are
// left out.
inline Influences InfluencesOf(const SkinWeights& weights, int v) {
  Influences result;
  for (int i = 0; i < std::min(weights.influences, kMaxInfluences); ++i) {
    const size_t slot = static_cast<size_t>(v) * weights.influences + i;
    if (!(weights.weights[slot] > 0)) continue;
    result.joints[result.count] = weights.joints[slot];
    result.weights[result.count++] = weights.weights[slot];
  }
  return result;
}

// Scales the weights such that they sum to 1. Their sum must not be 0.
inline void Normalize(Influences& influences) {
  double sum = 0;
  for (int i = 0; i < influences.count; ++i) sum += influences.weights[i];
  for (int i = 0; i < influences.count; ++i) influences.weights[i] /= sum;
}

// Returns the weight that two points have in common, 0 to 1: 1 if the same joints move them by the same weights.
inline double CommonWeight(const Influences& a, const Influences& b) {
  double sum = 0;
  for (int i = 0; i < a.count; ++i) {
    for (int k = 0; k < b.count; ++k) {
      if (a.joints[i] == b.joints[k]) sum += std::min(a.weights[i], b.weights[k]);
    }
  }
  return sum;
}

}  // namespace sinew

#endif  // SINEW_OFFLINE_CHARACTER_INFLUENCES_H_
