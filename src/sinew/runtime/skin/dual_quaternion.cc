#include "sinew/runtime/skin/kernels.h"
#include "sinew/runtime/skin/scalar_tiles.h"
#include "sinew/runtime/skin/vertex.h"

namespace sinew::runtime {

Bounds DualQuaternionTiles(const DualQuaternionJob& job, int begin, int end) noexcept {
  return ScalarTiles(*job.table, job.streams, begin, end,
                     [&](int v, const uint16_t* joints, const float* weights, int influences) {
                       scalar::DualQuaternion(job, v, joints, weights, influences);
                     });
}

}  // namespace sinew::runtime
