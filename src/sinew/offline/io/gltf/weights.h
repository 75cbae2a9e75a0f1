// JOINTS_n and WEIGHTS_n into SkinWeights, with the repairs that real files need.
#ifndef SINEW_OFFLINE_IO_GLTF_WEIGHTS_H_
#define SINEW_OFFLINE_IO_GLTF_WEIGHTS_H_

#include <cstdint>
#include <vector>

#include "sinew/offline/character/character.h"

namespace sinew::gltf {

// One vertex's worth of raw influences per row: `slots` pairs a vertex, joints already of the skeleton.
struct RawInfluences {
  int slots = 0;
  std::vector<uint16_t> joints;
  std::vector<float> weights;
};

// Strongest first, each joint once, at most kMaxInfluences, sum 1 within 1e-4 (closer sums are left bit for bit).
SkinWeights CleanWeights(const RawInfluences& raw, uint16_t fallback_joint, WeightRepairs& repairs);

}  // namespace sinew::gltf

#endif  // SINEW_OFFLINE_IO_GLTF_WEIGHTS_H_
