// The vector kernels behind the jobs: tiles [begin, end) of a validated job, their box back.
#ifndef SINEW_RUNTIME_SKIN_KERNELS_H_
#define SINEW_RUNTIME_SKIN_KERNELS_H_

#include "sinew/runtime/skin/skin.h"

namespace sinew::runtime {

Bounds LinearBlendTiles(const LinearBlendJob& job, int begin, int end) noexcept;
Bounds DualQuaternionTiles(const DualQuaternionJob& job, int begin, int end) noexcept;

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_SKIN_KERNELS_H_
