#include "sinew/offline/contact/press_runtime.h"

#include <algorithm>

#include "sinew/offline/core/error.h"
#include "sinew/runtime/base/tiles.h"

namespace sinew::contact {
namespace {

using runtime::Float3;
using runtime::kTileVertices;

constexpr float kWide = 1e5f;  // bounds of what is taken as trained by a blank field

std::vector<Float3> PositionsOf(const PressShard& shard) {
  std::vector<Float3> positions(shard.vertex_count());
  for (size_t v = 0; v < positions.size(); ++v) {
    const float* x = shard.positions.data() + 3 * v;
    positions[v] = {x[0], x[1], x[2]};
  }
  return positions;
}

int TileCount(size_t vertices) { return static_cast<int>((vertices + kTileVertices - 1) / kTileVertices); }

std::span<Float3> TileOf(std::vector<Float3>& positions, int t) {
  const size_t first = static_cast<size_t>(t) * kTileVertices;
  return std::span(positions).subspan(first, std::min<size_t>(kTileVertices, positions.size() - first));
}

}  // namespace

void PutGrid(const PressSubject& subject, tables::RawContactField& field) {
  for (size_t k = 0; k < 3; ++k) {
    field.counts[k] = subject.grid.counts[static_cast<Eigen::Index>(k)];
    field.origin[k] = static_cast<float>(subject.grid.origin[static_cast<Eigen::Index>(k)] / subject.size);
    field.spacing[k] = static_cast<float>(subject.grid.spacing[static_cast<Eigen::Index>(k)] / subject.size);
  }
  for (const float distance : subject.grid.distances) {
    field.distances.push_back(static_cast<float>(distance / subject.size));
  }
}

tables::RawContactField BlankField(const PressSubject& subject) {
  tables::RawContactField field;
  field.name = "blank";
  field.width = 1;
  field.unit = static_cast<float>(subject.size);
  field.window = static_cast<float>(subject.window / subject.size);
  field.least.fill(-kWide);
  field.most.fill(kWide);
  field.touch_least.fill(-kWide);
  field.touch_most.fill(kWide);
  field.A.assign(runtime::ContactTable::kPlaceNumbers, 0.0f);
  field.C.assign(runtime::ContactTable::kTouchNumbers, 0.0f);
  field.b = {0};
  field.W.assign(3, 0.0f);
  for (int j = 0; j < subject.character.skeleton.joint_count(); ++j) {
    tables::RawContactHandle& handle = field.handles.emplace_back();
    handle.joint = j;
    handle.least.fill(-kWide);
    handle.most.fill(kWide);
    handle.B.assign(runtime::ContactTable::kHandleNumbers, 0.0f);
  }
  PutGrid(subject, field);
  return field;
}

PressRuntime::PressRuntime(const PressSubject& subject, const runtime::ContactTable& table)
    : subject_(subject), table_(table) {
  // Weights as the skin table takes them: as many influences for all.
  size_t most = 1;
  for (const auto& list : subject.influences) most = std::max(most, list.size());
  most = std::min<size_t>(most, runtime::kMaxInfluences);
  std::vector<uint16_t> joints;
  std::vector<float> weights;
  for (const auto& list : subject.influences) {
    auto& own_joints = joints_.emplace_back();
    auto& own_weights = weights_.emplace_back();
    for (size_t k = 0; k < most; ++k) {
      joints.push_back(k < list.size() ? static_cast<uint16_t>(list[k].first) : 0);
      weights.push_back(k < list.size() ? list[k].second : 0.0f);
      if (k >= list.size()) continue;
      own_joints.push_back(joints.back());
      own_weights.push_back(weights.back());
    }
  }
  const int joint_count = subject.character.skeleton.joint_count();
  skin_ = tables::BuildSkin({static_cast<int>(most), joints, weights}, joint_count, "the skin in contact");
  for (int j = 0; j < joint_count; ++j) slots_.push_back(static_cast<int16_t>(j));
  for (const sinew::Pose& state : subject.states) {
    auto& models = models_.emplace_back();
    for (const Eigen::Affine3f& joint : LocalToModel(subject.character.skeleton, state)) {
      std::copy_n(joint.matrix().data(), 16, models.emplace_back().m);
    }
  }
}

PressRuntime::Posed PressRuntime::Pose(const PressShard& shard, const PressSample& sample, bool push_out) const {
  runtime::Collider collider;
  for (int column = 0; column < 3; ++column) std::copy_n(sample.R.data() + 3 * column, 3, collider.pose.m + 4 * column);
  std::copy_n(sample.t.data(), 3, collider.pose.m + 12);
  collider.push_out = push_out;
  Posed posed;
  posed.memory = Block(runtime::PosedFieldFloats(table_, slots_.size()) * sizeof(float));
  if (!runtime::PoseField(table_, collider, models_[shard.state], slots_,
                          reinterpret_cast<float*>(posed.memory.bytes().data()), &posed.field)) {
    throw FailedError(
        "a simulated contact has a collider whose pose is not rigid; delete the samples to make them again");
  }
  runtime::Touch touch;
  std::vector<Float3> positions = PositionsOf(shard);
  for (int t = 0; t < TileCount(positions.size()); ++t) {
    runtime::Touch of_tile;
    runtime::FeelTile({&posed.field, 1}, skin_.table, t, TileOf(positions, t), &of_tile);
    runtime::AddTouch(of_tile, touch);
  }
  posed.beyond = runtime::SetTouch(touch, posed.field);
  return posed;
}

bool PressRuntime::Look(const Posed& posed, const PressShard& shard, uint32_t v, runtime::SeenVertex* seen) const {
  const float* p = shard.positions.data() + 3 * size_t{v};
  return runtime::LookAt(posed.field, {p[0], p[1], p[2]},
                         {joints_[v].data(), weights_[v].data(), static_cast<int>(joints_[v].size())}, seen);
}

std::vector<Eigen::Vector3f> PressRuntime::Displacements(Posed& posed, const PressShard& shard,
                                                         const PressSample& sample) const {
  const std::vector<Float3> before = PositionsOf(shard);
  std::vector<Float3> moved = before;
  int done = -1;
  for (const uint32_t v : sample.vertices) {
    const int t = static_cast<int>(v / kTileVertices);
    if (t == done) continue;
    runtime::ContactTile({&posed.field, 1}, skin_.table, t,
                         {.positions = TileOf(moved, t), .normals = {}, .tangents = {}});
    done = t;
  }
  const Eigen::Map<const Eigen::Matrix3f> R(sample.R.data());
  std::vector<Eigen::Vector3f> displacements;
  for (const uint32_t v : sample.vertices) {
    const Eigen::Vector3f u(moved[v].x - before[v].x, moved[v].y - before[v].y, moved[v].z - before[v].z);
    displacements.push_back(R.transpose() * u / static_cast<float>(subject_.size));
  }
  return displacements;
}

}  // namespace sinew::contact
