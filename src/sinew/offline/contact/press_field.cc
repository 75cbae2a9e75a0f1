#include "sinew/offline/contact/press_field.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "sinew/offline/contact/contact_field.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/runtime/base/half.h"
#include "sinew/runtime/contact/contact_tile.h"

namespace sinew::contact {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;
using learn::RowMatrix;

constexpr int kNumbers = 12;          // per joint, as runtime::ContactTable has them
constexpr float kPlaceScale = 0.25f;  // unit of z-bar, in collider sizes
constexpr int kHeldBack = 20;         // one shard of so many
constexpr int kSamplesPerStep = 32, kRowsPerSample = 96;
constexpr float kLeastWindow = 0.02f;  // rows with less count as outside of the window
constexpr float kRoom = 1.5f;          // factor on the largest displacement, up to which predictions are given out
constexpr uint64_t kValidationStream = ~uint64_t{1};

// Row of the network: a vertex in a sample's window.
struct Row {
  Vector3f z = Vector3f::Zero();  // z-bar, in collider sizes
  float window = 0;
  Vector3f r = Vector3f::Zero();
  const std::vector<std::pair<int, float>>* influences = nullptr;
};

// A sample with what the network sees of it.
struct Contact {
  const PressShard* shard = nullptr;
  const PressSample* sample = nullptr;
  bool held = false;  // whether it is held back
  std::vector<Row> rows;
  RowMatrix numbers;  // kNumbers per handle
};

class Rows {
 public:
  Rows(const PressSubject& subject, std::span<const PressShard> shards) : subject_(subject) {
    for (const PressShard& shard : shards) {
      for (const PressSample& sample : shard.samples) Add(shard, sample);
    }
    if (contacts_.empty()) throw UsageError("there are no contacts to train on; make more");
    HoldBack(shards);
    FindHandles();
    FindNumbers();
    FindScales();
  }

  int width() const { return 3 + kNumbers * static_cast<int>(handles_.size()); }
  const std::vector<int>& handles() const { return handles_; }
  const std::vector<Contact>& contacts() const { return contacts_; }
  const std::vector<float>& scales() const { return scales_; }
  float output_scale() const { return output_scale_; }

  // Writes the inputs of a row.
  void Fill(const Contact& contact, const Row& row, float* to) const {
    std::fill_n(to, width(), 0.0f);
    for (int k = 0; k < 3; ++k) to[k] = row.z[k] / scales_[k];
    for (const auto& [joint, weight] : *row.influences) {
      const int handle = handle_of_[joint];
      if (handle < 0) continue;
      for (int k = 0; k < kNumbers; ++k) {
        const int at = 3 + kNumbers * handle + k;
        to[at] += weight * contact.numbers(handle, k) / scales_[at];
      }
    }
  }

  // Draws rows of contacts that are held back, if there are any, or of those that are not. The loss of window times
  // output is that of the output, weighed by the window's square.
  void Draw(Random& random, bool held, RowBatch& batch) const {
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
      const Contact& contact = contacts_[drawn[s].first];
      for (int i = 0; i < kRowsPerSample; ++i) {
        const int at = s * kRowsPerSample + i;
        const Row& row = contact.rows[own.Below(static_cast<uint32_t>(contact.rows.size()))];
        Fill(contact, row, batch.inputs.row(at).data());
        batch.targets.row(at) = (row.r / row.window / output_scale_).transpose();
        batch.weights[at] = row.window * row.window / static_cast<float>(rows);
      }
    });
  }

 private:
  // Holds whole shards back: other depths of a chain, and other rotations at its place, would be close neighbours.
  void HoldBack(std::span<const PressShard> shards) {
    for (size_t c = 0; c < contacts_.size(); ++c) {
      const auto shard = static_cast<size_t>(contacts_[c].shard - shards.data());
      contacts_[c].held = shards.size() >= kHeldBack && shard % kHeldBack == kHeldBack / 2;
      (contacts_[c].held ? held_ : seen_).push_back(static_cast<int>(c));
    }
    if (!seen_.empty()) return;
    for (Contact& contact : contacts_) contact.held = false;
    seen_.swap(held_);
  }

  // Joints that move a row. Those of vertices that were left out have no range that was trained.
  void FindHandles() {
    std::set<int> used;
    for (const Contact& contact : contacts_) {
      for (const Row& row : contact.rows) {
        for (const auto& [joint, weight] : *row.influences) used.insert(joint);
      }
    }
    handles_.assign(used.begin(), used.end());
    handle_of_.assign(subject_.character.skeleton.joint_count(), -1);
    for (size_t h = 0; h < handles_.size(); ++h) handle_of_[handles_[h]] = static_cast<int>(h);
  }

  // Numbers of all handles in the colliders' spaces.
  void FindNumbers() {
    const PressShard* shard = nullptr;
    std::vector<Eigen::Affine3f> joints;
    for (Contact& contact : contacts_) {
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

  void Add(const PressShard& shard, const PressSample& sample) {
    Contact contact{.shard = &shard, .sample = &sample, .held = false, .rows = {}, .numbers = {}};
    const Eigen::Map<const Eigen::Matrix3f> R(sample.R.data());
    const Eigen::Map<const Vector3f> t(sample.t.data());
    const auto size = static_cast<float>(subject_.size);
    for (size_t i = 0; i < sample.vertices.size(); ++i) {
      const uint32_t v = sample.vertices[i];
      const Eigen::Map<const Vector3f> x(shard.positions.data() + 3 * size_t{v});
      Row row;
      row.z = R.transpose() * (x - t) / size;
      const auto at = Sample(subject_.grid, (row.z * size).cast<double>());
      row.window = at ? runtime::ContactWindow(static_cast<float>(at->distance / subject_.window)) : 0.0f;
      if (row.window < kLeastWindow) continue;
      for (int k = 0; k < 3; ++k) row.r[k] = runtime::HalfToFloat(sample.r[3 * i + k]);
      row.influences = &subject_.influences[v];
      contact.rows.push_back(row);
    }
    if (!contact.rows.empty()) contacts_.push_back(std::move(contact));
  }

  void FindScales() {
    std::vector<double> squares(width(), 0);
    double output = 0, rows = 0;
    scales_.assign(width(), 1.0f);
    std::vector<float> row(width());
    for (const Contact& contact : contacts_) {
      for (size_t i = 0; i < contact.rows.size(); i += 8) {
        Fill(contact, contact.rows[i], row.data());
        for (int k = 0; k < width(); ++k) squares[k] += static_cast<double>(row[k]) * row[k];
        output += contact.rows[i].r.squaredNorm();
        ++rows;
      }
    }
    // A number that is hardly ever above 0 keeps a scale at which half floats hold its weights.
    for (int k = 0; k < width(); ++k) scales_[k] = std::max(0.05f, static_cast<float>(std::sqrt(squares[k] / rows)));
    for (int k = 0; k < 3; ++k) scales_[k] = kPlaceScale;
    output_scale_ = output > 0 ? static_cast<float>(std::sqrt(output / rows)) : 1;
  }

  const PressSubject& subject_;
  std::vector<int> handles_, handle_of_;
  std::vector<int> seen_, held_;  // contacts that are trained on, and that are held back
  std::vector<Contact> contacts_;
  std::vector<float> scales_;
  float output_scale_ = 1;
};

// Distance grid of the collider, in its sizes.
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

// Ranges of what was seen: places, numbers of joints where they matter, depths and displacements.
void PutRanges(const PressSubject& subject, const Rows& rows, tables::RawContactField& field) {
  constexpr float kFar = 1e5f;
  field.least.fill(kFar);
  field.most.fill(-kFar);
  std::map<int, tables::RawContactHandle*> by_joint;
  for (tables::RawContactHandle& handle : field.handles) {
    handle.least.fill(kFar);
    handle.most.fill(-kFar);
    by_joint[handle.joint] = &handle;
  }
  double deepest = 0, largest = 0;
  const auto widen = [](float value, float& least, float& most) {
    least = std::min(least, value);
    most = std::max(most, value);
  };
  for (const Contact& contact : rows.contacts()) {
    deepest = std::max(deepest, contact.sample->depth);
    std::set<int> joints;
    for (const Row& row : contact.rows) {
      for (size_t k = 0; k < 3; ++k) {
        widen(row.z[static_cast<Eigen::Index>(k)], field.least[k], field.most[k]);
      }
      largest = std::max(largest, static_cast<double>(row.r.norm() / row.window));
      for (const auto& [joint, weight] : *row.influences) joints.insert(joint);
    }
    for (const int joint : joints) {
      tables::RawContactHandle& handle = *by_joint.at(joint);
      const auto h = std::lower_bound(rows.handles().begin(), rows.handles().end(), joint) - rows.handles().begin();
      for (size_t k = 0; k < kNumbers; ++k) {
        widen(contact.numbers(h, static_cast<Eigen::Index>(k)), handle.least[k], handle.most[k]);
      }
    }
  }
  field.depth = static_cast<float>(std::max(deepest, 1e-3 * subject.size) / subject.size);
  field.largest = std::max(1e-3f, kRoom * static_cast<float>(largest) / rows.output_scale());
}

tables::RawContactField FieldOf(const PressSubject& subject, const Rows& rows, const layers::DescribedNetwork& network,
                                const std::vector<float>& parameters) {
  tables::RawContactField field;
  const auto matrix = [&](int tensor) {
    const layers::TensorPlace& place = network.tensors()[tensor];
    return Eigen::Map<const RowMatrix>(parameters.data() + place.offset, place.rows, place.columns);
  };
  const RowMatrix W1 = matrix(0), b1 = matrix(1), W2 = matrix(2), b2 = matrix(3);
  field.name = subject.name;
  field.width = static_cast<int>(W1.cols());
  field.unit = static_cast<float>(subject.size);
  field.output = static_cast<float>(subject.size) * rows.output_scale();
  field.window = static_cast<float>(subject.window / subject.size);
  const auto put = [&](int input, std::vector<float>& to) {
    for (int i = 0; i < field.width; ++i) to.push_back(W1(input, i) / rows.scales()[input]);
  };
  for (int k = 0; k < 3; ++k) put(k, field.A);
  field.b.assign(b1.data(), b1.data() + b1.size());
  for (int c = 0; c < 3; ++c) {
    for (int i = 0; i < field.width; ++i) field.W.push_back(W2(i, c));
    field.c[c] = b2(0, c);
  }
  for (size_t h = 0; h < rows.handles().size(); ++h) {
    tables::RawContactHandle& handle = field.handles.emplace_back();
    handle.joint = rows.handles()[h];
    for (int k = 0; k < kNumbers; ++k) put(3 + kNumbers * static_cast<int>(h) + k, handle.B);
  }
  PutRanges(subject, rows, field);
  PutGrid(subject, field);
  return field;
}

// Measures the field on all contacts, the window included.
void MeasureErrors(const Rows& rows, const layers::DescribedNetwork& network, PressField& result) {
  double off[2] = {0, 0}, all[2] = {0, 0}, largest = 0, hover = 0;
  for (const Contact& contact : rows.contacts()) {
    RowMatrix inputs(static_cast<Eigen::Index>(contact.rows.size()), rows.width());
    for (size_t i = 0; i < contact.rows.size(); ++i) {
      rows.Fill(contact, contact.rows[i], inputs.row(static_cast<Eigen::Index>(i)).data());
    }
    const RowMatrix outputs = rows.output_scale() * network.Evaluate(result.trained.parameters, inputs, {});
    const int held = contact.held ? 1 : 0;
    double inside = 0, error = 0;
    for (size_t i = 0; i < contact.rows.size(); ++i) {
      const Row& row = contact.rows[i];
      const Vector3f predicted = row.window * outputs.row(static_cast<Eigen::Index>(i)).transpose();
      inside += row.r.squaredNorm();
      error += (predicted - row.r).squaredNorm();
      largest = std::max(largest, static_cast<double>(row.r.norm()));
      if (contact.sample->depth <= 0) hover = std::max(hover, static_cast<double>(predicted.norm()));
    }
    (held != 0 ? result.held : result.seen) += 1;
    if (contact.sample->depth <= 0) continue;
    // Nothing is predicted outside of the window: what is there counts as error in full.
    off[held] += error + std::max(0.0, contact.sample->total - inside);
    all[held] += contact.sample->total;
  }
  result.seen_error = all[0] > 0 ? std::sqrt(off[0] / all[0]) : 0;
  result.held_error = all[1] > 0 ? std::sqrt(off[1] / all[1]) : 0;
  result.hover = largest > 0 ? hover / largest : 0;
}

}  // namespace

PressField TrainPressField(const PressSubject& subject, std::span<const PressShard> shards, int width,
                           const TrainOptions& options) {
  const Rows rows(subject, shards);
  const layers::DescribedNetwork network(DescribeTanhNetwork(rows.width(), 1, width, 3), "contact field");
  RowBatch validation;
  Random random(options.seed, kValidationStream);
  rows.Draw(random, true, validation);
  PressField result;
  result.trained = TrainNetwork(
      network, [&](Random& numbers, RowBatch& batch) { rows.Draw(numbers, false, batch); }, validation, options);
  result.field = FieldOf(subject, rows, network, result.trained.parameters);
  MeasureErrors(rows, network, result);
  return result;
}

}  // namespace sinew::contact
