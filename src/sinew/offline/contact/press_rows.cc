#include "sinew/offline/contact/press_rows.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "sinew/offline/contact/press_runtime.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/runtime/base/half.h"

namespace sinew::contact {
namespace {

using Eigen::Vector3f;

constexpr int kPlaces = runtime::ContactTable::kPlaceNumbers, kTouches = runtime::ContactTable::kTouchNumbers;
constexpr int kNumbers = runtime::ContactTable::kHandleNumbers;
constexpr int kFirstHandle = kPlaces + kTouches;  // input of the first handle
constexpr float kPlaceScale = 0.25f;              // unit of places, in collider sizes
constexpr float kDepthScale = 0.1f;               // unit of distances and depths, in collider sizes
constexpr int kHeldBack = 20;                     // one shard of so many
constexpr int kSamplesPerStep = 32, kRowsPerSample = 96;
constexpr float kLeastWindow = 0.02f;  // rows with less count as outside of the window

}  // namespace

bool IsHeldBack(size_t shard, size_t shards) { return shards >= kHeldBack && shard % kHeldBack == kHeldBack / 2; }

PressRows::PressRows(const PressSubject& subject, std::span<const PressShard> shards) : subject_(subject) {
  const tables::BuiltContact blank = tables::BuildContact({BlankField(subject)});
  const PressRuntime runtime(subject, blank.table);
  for (size_t i = 0; i < shards.size(); ++i) {
    for (const PressSample& sample : shards[i].samples) Add(runtime, shards[i], sample, IsHeldBack(i, shards.size()));
  }
  if (contacts_.empty()) throw UsageError("there are no contacts to train on; make more");
  ListSeen();
  FindHandles();
  FindNumbers();
  FindScales();
}

int PressRows::width() const { return kFirstHandle + kNumbers * static_cast<int>(handles_.size()); }

void PressRows::Fill(const PressContact& contact, const PressRow& row, float* to) const {
  std::fill_n(to, width(), 0.0f);
  for (int k = 0; k < kPlaces; ++k) to[k] = row.x[k] / scales_[k];
  for (int k = 0; k < kTouches; ++k) to[kPlaces + k] = contact.touch[k] / scales_[kPlaces + k];
  for (const auto& [joint, weight] : *row.influences) {
    const int handle = handle_of_[joint];
    if (handle < 0) continue;
    for (int k = 0; k < kNumbers; ++k) {
      const int at = kFirstHandle + kNumbers * handle + k;
      to[at] += weight * contact.numbers(handle, k) / scales_[at];
    }
  }
}

void PressRows::Draw(Random& random, bool held, RowBatch& batch) const {
  const int rows = kSamplesPerStep * kRowsPerSample;
  batch.inputs.resize(rows, width());
  batch.targets.resize(rows, 3);
  batch.weights.assign(rows, 0.0f);
  const std::vector<int>& from = held && !held_.empty() ? held_ : seen_;
  std::vector<std::pair<int, uint64_t>> drawn(kSamplesPerStep);
  for (auto& [contact, seed] : drawn) {
    contact = from[random.Below(static_cast<uint32_t>(from.size()))];
    seed = random.Bits();
  }
  ParallelFor(kSamplesPerStep, 4, [&](int s) {
    Random own(drawn[s].second);
    const PressContact& contact = contacts_[drawn[s].first];
    for (int i = 0; i < kRowsPerSample; ++i) {
      const int at = s * kRowsPerSample + i;
      const PressRow& row = contact.rows[own.Below(static_cast<uint32_t>(contact.rows.size()))];
      Fill(contact, row, batch.inputs.row(at).data());
      batch.targets.row(at) = (row.r / (row.factor * output_scale_)).transpose();
      batch.weights[at] = row.factor * row.factor / (depth_ * depth_ * static_cast<float>(rows));
    }
  });
}

void PressRows::Add(const PressRuntime& runtime, const PressShard& shard, const PressSample& sample, bool held) {
  const PressRuntime::Posed posed = runtime.Pose(shard, sample);
  const runtime::PosedField& field = posed.field;
  if (!(field.gate > 0)) return;
  PressContact contact{
      .shard = &shard, .sample = &sample, .held = held, .touch = {field.deepest}, .rows = {}, .numbers = {}};
  for (int k = 0; k < 3; ++k) {
    contact.touch[1 + k] = field.center[k];
    contact.touch[4 + k] = field.push[k];
  }
  for (size_t i = 0; i < sample.vertices.size(); ++i) {
    runtime::SeenVertex seen;
    if (!runtime.Look(posed, shard, sample.vertices[i], &seen) || seen.window < kLeastWindow) continue;
    PressRow row{
        .x = {}, .factor = seen.window * field.deepest, .influences = &subject_.influences[sample.vertices[i]]};
    std::copy_n(seen.x, kPlaces, row.x.begin());
    Vector3f r;
    for (int k = 0; k < 3; ++k) r[k] = runtime::HalfToFloat(sample.r[3 * i + k]);
    row.r = Eigen::Map<const Eigen::Matrix3f>(seen.axes).transpose() * r;
    contact.rows.push_back(row);
  }
  if (contact.rows.empty()) return;
  depth_ = std::max(depth_, field.deepest);
  contacts_.push_back(std::move(contact));
}

void PressRows::ListSeen() {
  for (size_t c = 0; c < contacts_.size(); ++c) {
    (contacts_[c].held ? held_ : seen_).push_back(static_cast<int>(c));
  }
  if (!seen_.empty()) return;
  for (PressContact& contact : contacts_) contact.held = false;
  seen_.swap(held_);
}

// Joints of vertices that were left out have no range that was trained.
void PressRows::FindHandles() {
  std::set<int> used;
  for (const PressContact& contact : contacts_) {
    for (const PressRow& row : contact.rows) {
      for (const auto& [joint, weight] : *row.influences) used.insert(joint);
    }
  }
  handles_.assign(used.begin(), used.end());
  handle_of_.assign(subject_.character.skeleton.joint_count(), -1);
  for (size_t h = 0; h < handles_.size(); ++h) handle_of_[handles_[h]] = static_cast<int>(h);
}

// Numbers of all handles in the colliders' spaces.
void PressRows::FindNumbers() {
  const PressShard* shard = nullptr;
  std::vector<Eigen::Affine3f> joints;
  for (PressContact& contact : contacts_) {
    if (contact.shard != shard) {
      shard = contact.shard;
      joints = LocalToModel(subject_.character.skeleton, subject_.states[shard->state]);
    }
    const Eigen::Map<const Eigen::Matrix3f> R(contact.sample->R.data());
    const Eigen::Map<const Vector3f> t(contact.sample->t.data());
    contact.numbers.resize(static_cast<Eigen::Index>(handles_.size()), kNumbers);
    for (size_t h = 0; h < handles_.size(); ++h) {
      const Eigen::Affine3f& joint = joints[handles_[h]];
      const Eigen::Matrix3f turned = R.transpose() * joint.linear();
      const Vector3f place = R.transpose() * (joint.translation() - t) / static_cast<float>(subject_.size);
      for (int k = 0; k < 9; ++k) contact.numbers(h, k) = turned.data()[k];
      for (int k = 0; k < 3; ++k) contact.numbers(h, 9 + k) = place[k];
    }
  }
}

void PressRows::FindScales() {
  std::vector<double> squares(width(), 0);
  double output = 0, factors = 0, rows = 0;
  scales_.assign(width(), 1.0f);
  std::vector<float> inputs(width());
  for (const PressContact& contact : contacts_) {
    for (size_t i = 0; i < contact.rows.size(); i += 8) {
      const PressRow& row = contact.rows[i];
      Fill(contact, row, inputs.data());
      for (int k = 0; k < width(); ++k) squares[k] += static_cast<double>(inputs[k]) * inputs[k];
      output += row.r.squaredNorm();
      factors += static_cast<double>(row.factor) * row.factor;
      ++rows;
    }
  }
  // A number that is hardly ever above 0 keeps a scale at which half floats hold its weights.
  for (int k = 0; k < width(); ++k) scales_[k] = std::max(0.05f, static_cast<float>(std::sqrt(squares[k] / rows)));
  // Places and depths have units of their own: z-bar, height and radius, distance, then D, p and n.
  std::fill_n(scales_.begin(), 5, kPlaceScale);
  scales_[5] = scales_[kPlaces] = kDepthScale;
  std::fill_n(scales_.begin() + kPlaces + 1, 3, kPlaceScale);
  std::fill_n(scales_.begin() + kPlaces + 4, 3, 1.0f);
  output_scale_ = output > 0 ? static_cast<float>(std::sqrt(output / factors)) : 1;
}

}  // namespace sinew::contact
