// Converts JOINTS_n and WEIGHTS_n to SkinWeights, with the repairs that real files need.
#ifndef SINEW_OFFLINE_IO_GLTF_WEIGHTS_H_
#define SINEW_OFFLINE_IO_GLTF_WEIGHTS_H_

#include <cstdint>
#include <vector>

#include "sinew/offline/character/character.h"

namespace sinew::gltf {

// Influences as a file has them: `slots` pairs of joint and weight per vertex; joints are already those of the
// skeleton.
struct RawInfluences {
  int slots = 0;
  std::vector<uint16_t> joints;
  std::vector<float> weights;
};

// Returns weights that are sorted strongest first, with each joint once, at most kMaxInfluences per vertex, and a sum
// within 1e-4 of 1 (sums that are so close are left bit for bit). fallback_joint: moves vertices without any weight.
// repairs: the numbers of repaired vertices are added to it.
SkinWeights CleanWeights(const RawInfluences& raw, uint16_t fallback_joint, WeightRepairs& repairs);

}  // namespace sinew::gltf

#endif  // SINEW_OFFLINE_IO_GLTF_WEIGHTS_H_
