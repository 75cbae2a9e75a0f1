// Scalar references of skinning: plain loops in the file's order over plain weights, without the table. The kernels are
// tested against them, and the benchmarks call them "scalar".
#ifndef SINEW_RUNTIME_SKIN_REFERENCE_H_
#define SINEW_RUNTIME_SKIN_REFERENCE_H_

#include <cstdint>
#include <span>

#include "sinew/runtime/skin/skin.h"

namespace sinew::runtime {

// Skinning weights as plain arrays: `influences` entries per vertex, strongest first; unused ones have weight 0.
struct PlainWeights {
  int influences = 0;
  std::span<const uint16_t> joints;  // vertex_count * influences
  std::span<const float> weights;    // vertex_count * influences
};

// The job's table and runner are not used; its streams must be valid for the weights' vertices.
void LinearBlendReference(const LinearBlendJob& job, const PlainWeights& weights) noexcept;
void DualQuaternionReference(const DualQuaternionJob& job, const PlainWeights& weights) noexcept;

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_SKIN_REFERENCE_H_
