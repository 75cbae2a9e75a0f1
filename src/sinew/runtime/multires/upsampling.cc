#include "sinew/runtime/multires/upsampling.h"

#include <cstring>

#include "sinew/runtime/base/tiles.h"
#include "sinew/runtime/multires/kernels.h"

namespace sinew::runtime {
namespace {

// Unpacks a weight (section 6 of the paper): 16 bits put at the top of the mantissa of 1/2 give 1/2 + bits * 2^-17.
float Unpack(uint32_t bits) {
  const uint32_t word = (bits << 7) | (126u << 23);
  float shifted = 0;
  std::memcpy(&shifted, &word, sizeof(shifted));
  return shifted - 0.5f;
}

template <typename Corner>
void TileReference(const UpsamplingTable& table, const StridedSpan<const Float3>& coarse, int t, const Corner* corners,
                   float* points) {
  const uint32_t* weights = table.weights(t);
  for (int i = 0; i < table.vertices(t); ++i, corners += 3, points += 4) {
    const float* p[3];
    for (int c = 0; c < 3; ++c) p[c] = coarse.floats(table.tile(t).first + corners[c] / 2);
    const float w1 = Unpack(weights[i] & 0xffff), w2 = Unpack(weights[i] >> 16);
    for (int k = 0; k < 3; ++k) points[k] = p[2][k] + w1 * (p[0][k] - p[2][k]) + w2 * (p[1][k] - p[2][k]);
    points[3] = 0;
  }
}

}  // namespace

Status UpsamplingJob::Validate() const noexcept {
  if (table == nullptr || table->empty()) return Status::kInvalidArgument;
  const bool valid = coarse.size() >= static_cast<size_t>(table->coarse_count()) && coarse.well_formed() &&
                     fine.size() >= static_cast<size_t>(table->fine_count()) && fine.well_formed() &&
                     (!overwrite_padding || fine.stride() >= sizeof(Float4));
  return valid ? Status::kOk : Status::kInvalidArgument;
}

Status UpsamplingJob::Run() const noexcept {
  if (const Status status = Validate(); status != Status::kOk) return status;
  RunTiles(runner, table->tile_count(), [this](int, int begin, int end) { UpsamplingTiles(*this, begin, end); });
  return Status::kOk;
}

void UpsamplingReference(const UpsamplingJob& job, const PlainUpsampling& plain) noexcept {
  const size_t vertices = plain.corners.size() / 3;
  for (size_t v = 0; v < vertices; ++v) {
    const uint32_t* corners = &plain.corners[3 * v];
    const float* w = &plain.weights[3 * v];
    const Float3 &p1 = job.coarse[corners[0]], &p2 = job.coarse[corners[1]], &p3 = job.coarse[corners[2]];
    job.fine[v] = {w[0] * p1.x + w[1] * p2.x + w[2] * p3.x, w[0] * p1.y + w[1] * p2.y + w[2] * p3.y,
                   w[0] * p1.z + w[1] * p2.z + w[2] * p3.z};
  }
}

void UpsampleTileReference(const UpsamplingTable& table, const StridedSpan<const Float3>& coarse, int t,
                           float* points) noexcept {
  table.narrow() ? TileReference(table, coarse, t, table.corners16(t), points)
                 : TileReference(table, coarse, t, table.corners32(t), points);
}

}  // namespace sinew::runtime
