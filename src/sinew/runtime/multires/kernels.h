// Vectorised kernel of UpsamplingJob: computes the tiles [begin, end) of a job that Validate() has accepted.
#ifndef SINEW_RUNTIME_MULTIRES_KERNELS_H_
#define SINEW_RUNTIME_MULTIRES_KERNELS_H_

#include "sinew/runtime/multires/upsampling.h"

namespace sinew::runtime {

void UpsamplingTiles(const UpsamplingJob& job, int begin, int end) noexcept;

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_MULTIRES_KERNELS_H_
