#include "sinew/runtime/skin/normals.h"

#include "sinew/runtime/base/tiles.h"
#include "sinew/runtime/skin/kernels.h"
#include "sinew/runtime/skin/vertex.h"

namespace sinew::runtime {
namespace {

void FanNormal(const NormalsJob& job, const NormalTable::Fan& fan) {
  const uint32_t* corner = job.table->fan_corners() + fan.first_corner;
  Float3 sum;
  for (uint32_t i = 0; i < fan.triangles; ++i, corner += 3) {
    const Float3& a = job.positions[corner[0]];
    sum = scalar::Add(
        sum, scalar::Cross(scalar::Sub(job.positions[corner[1]], a), scalar::Sub(job.positions[corner[2]], a)));
  }
  if (HasDirection(scalar::Dot(sum, sum))) StoreNormal(job, fan.vertex, scalar::Normalized(sum));
}

}  // namespace

Status NormalsJob::Validate() const noexcept {
  if (table == nullptr || table->empty()) return Status::kInvalidArgument;
  const size_t vertices = table->vertex_count();
  const bool valid = positions.size() >= vertices && positions.well_formed() && normals.size() >= vertices &&
                     normals.well_formed() && (tangents.empty() || tangents.size() >= vertices) &&
                     tangents.well_formed();
  return valid ? Status::kOk : Status::kInvalidArgument;
}

Status NormalsJob::Run() const noexcept {
  if (const Status status = Validate(); status != Status::kOk) return status;
  RunTiles(runner, table->tile_count(), [this](int, int begin, int end) { NormalTiles(*this, begin, end); });
  return Status::kOk;
}

void FinishNormalTile(const NormalsJob& job, int t) noexcept {
  const NormalTable& table = *job.table;
  const NormalTable::Tile& tile = table.tile(t);
  const std::span fans(table.fans() + tile.first_fan, tile.fans);
  const std::span copies(table.copies() + tile.first_copy, tile.copies);
  for (const NormalTable::Fan& fan : fans) FanNormal(job, fan);
  for (const NormalTable::Copy& copy : copies) job.normals[copy.to] = job.normals[copy.from];
  if (job.tangents.empty()) return;
  const auto follow = [&](uint32_t v) { scalar::FollowNormal(job.normals[v], job.tangents[v]); };
  const uint32_t* vertex = table.groups() + tile.first_group;
  for (int r = 0; r < tile.runs; ++r) {
    for (int g = 0; g < table.runs()[tile.first_run + r].count; ++g) follow(*vertex++);
  }
  for (const NormalTable::Fan& fan : fans) follow(fan.vertex);
  for (const NormalTable::Copy& copy : copies) follow(copy.to);
}

void NormalsReference(const NormalsJob& job, std::span<const uint32_t> triangles, std::span<const uint32_t> groups,
                      std::span<Float3> sums) noexcept {
  for (Float3& sum : sums) sum = {};
  for (size_t t = 0; t + 2 < triangles.size(); t += 3) {
    const Float3& a = job.positions[triangles[t]];
    const Float3 normal =
        scalar::Cross(scalar::Sub(job.positions[triangles[t + 1]], a), scalar::Sub(job.positions[triangles[t + 2]], a));
    for (size_t k = 0; k < 3; ++k) {
      Float3& sum = sums[groups[triangles[t + k]]];
      sum = scalar::Add(sum, normal);
    }
  }
  for (size_t v = 0; v < groups.size(); ++v) {
    const Float3& sum = sums[groups[v]];
    if (HasDirection(scalar::Dot(sum, sum))) StoreNormal(job, v, scalar::Normalized(sum));
    if (!job.tangents.empty()) scalar::FollowNormal(job.normals[v], job.tangents[v]);
  }
}

}  // namespace sinew::runtime
