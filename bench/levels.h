// What the upsampling benchmarks upsample: two levels of a bumpy torus, 18,048 and 75,000 vertices, and the operator
// between them. Fine vertices lie anywhere on the coarse triangles, about two on each, as simplification leaves them.
#ifndef SINEW_BENCH_LEVELS_H_
#define SINEW_BENCH_LEVELS_H_

#include <cstdint>
#include <vector>

#include "sinew/offline/tables/upsampling_builder.h"
#include "sinew/runtime/base/math.h"
#include "sinew/runtime/multires/upsampling.h"

namespace sinew::bench {

// The vertices' order in the files.
enum class FileOrder {
  kPatches,  // 150 patches in any order, each row by row: a body of parts; the coarse level's survivors likewise
  kShuffled  // no order at all
};

struct Levels {
  static constexpr int kFine = 75000, kCoarse = 18048;
  std::vector<runtime::Float3> coarse;
  std::vector<uint32_t> corners;
  std::vector<double> weights;
  std::vector<float> plain_weights;

  tables::RawUpsampling raw() const { return {kCoarse, corners, weights}; }
  runtime::PlainUpsampling plain() const { return {corners, plain_weights}; }
};
Levels MakeLevels(FileOrder order);

}  // namespace sinew::bench

#endif  // SINEW_BENCH_LEVELS_H_
