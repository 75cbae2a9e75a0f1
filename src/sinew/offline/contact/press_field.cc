#include "sinew/offline/contact/press_field.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "sinew/offline/contact/contact_field.h"
#include "sinew/offline/contact/press_rows.h"
#include "sinew/offline/contact/press_runtime.h"

namespace sinew::contact {
namespace {

using learn::RowMatrix;

constexpr size_t kPlaces = runtime::ContactTable::kPlaceNumbers, kTouches = runtime::ContactTable::kTouchNumbers;
constexpr size_t kNumbers = runtime::ContactTable::kHandleNumbers;
constexpr float kRoom = 1.5f;         // factor on the largest output, up to which outputs are given out
constexpr float kLeastFactor = 0.1f;  // of the largest, from which on a row's output counts for that
constexpr uint64_t kValidationStream = ~uint64_t{1};

// Ranges that only grow.
template <size_t N>
struct Ranges {
  std::array<float, N>&least, &most;
  Ranges(std::array<float, N>& from, std::array<float, N>& to) : least(from), most(to) {
    least.fill(1e5f);
    most.fill(-1e5f);
  }
  void Add(size_t k, float value) {
    least[k] = std::min(least[k], value);
    most[k] = std::max(most[k], value);
  }
};

// Ranges of a joint's numbers, over the contacts where it moves a row.
void PutHandleRanges(const PressRows& rows, tables::RawContactField& field) {
  std::map<int, Ranges<kNumbers>> by_joint;
  for (tables::RawContactHandle& handle : field.handles) {
    by_joint.emplace(handle.joint, Ranges<kNumbers>(handle.least, handle.most));
  }
  for (const PressContact& contact : rows.contacts()) {
    std::set<int> joints;
    for (const PressRow& row : contact.rows) {
      for (const auto& [joint, weight] : *row.influences) joints.insert(joint);
    }
    for (const int joint : joints) {
      const auto h = std::lower_bound(rows.handles().begin(), rows.handles().end(), joint) - rows.handles().begin();
      for (size_t k = 0; k < kNumbers; ++k) {
        by_joint.at(joint).Add(k, contact.numbers(h, static_cast<Eigen::Index>(k)));
      }
    }
  }
}

// Ranges of what was seen: places, touches, joints and displacements.
void PutRanges(const PressRows& rows, tables::RawContactField& field) {
  Ranges places(field.least, field.most);
  Ranges touches(field.touch_least, field.touch_most);
  float largest = 0;
  for (const PressContact& contact : rows.contacts()) {
    for (size_t k = 0; k < kTouches; ++k) touches.Add(k, contact.touch[k]);
    for (const PressRow& row : contact.rows) {
      for (size_t k = 0; k < kPlaces; ++k) places.Add(k, row.x[k]);
      if (row.factor > kLeastFactor * rows.depth()) largest = std::max(largest, row.r.norm() / row.factor);
    }
  }
  // Touches begin at a depth of 0.
  field.touch_least[0] = 0;
  field.depth = rows.depth();
  field.largest = std::max(1e-3f, kRoom * largest / rows.output_scale());
  PutHandleRanges(rows, field);
}

tables::RawContactField FieldOf(const PressSubject& subject, const PressRows& rows,
                                const layers::DescribedNetwork& network, const std::vector<float>& parameters) {
  tables::RawContactField field;
  const auto matrix = [&](int tensor) {
    const layers::TensorPlace& place = network.tensors()[tensor];
    return Eigen::Map<const RowMatrix>(parameters.data() + place.offset, place.rows, place.columns);
  };
  const RowMatrix W1 = matrix(0), b1 = matrix(1), W2 = matrix(2), b2 = matrix(3);
  field.name = subject.name;
  field.width = static_cast<int>(W1.cols());
  field.unit = static_cast<float>(subject.size);
  // Outputs are multiplied by D / depth at run time.
  field.output = static_cast<float>(subject.size) * rows.output_scale() * rows.depth();
  field.window = static_cast<float>(subject.window / subject.size);
  int input = 0;
  const auto put = [&](std::vector<float>& to) {
    for (int i = 0; i < field.width; ++i) to.push_back(W1(input, i) / rows.scales()[input]);
    ++input;
  };
  for (size_t k = 0; k < kPlaces; ++k) put(field.A);
  for (size_t k = 0; k < kTouches; ++k) put(field.C);
  field.b.assign(b1.data(), b1.data() + b1.size());
  for (int c = 0; c < 3; ++c) {
    for (int i = 0; i < field.width; ++i) field.W.push_back(W2(i, c));
    field.c[c] = b2(0, c);
  }
  for (const int joint : rows.handles()) {
    tables::RawContactHandle& handle = field.handles.emplace_back();
    handle.joint = joint;
    for (size_t k = 0; k < kNumbers; ++k) put(handle.B);
  }
  PutRanges(rows, field);
  PutGrid(subject, field);
  return field;
}

// Measures the network as it was trained, window and depth included. n, e and n x e are at right angles.
void MeasureNetwork(const PressRows& rows, const layers::DescribedNetwork& network, PressField& result) {
  double error[2] = {0, 0}, whole[2] = {0, 0};
  for (const PressContact& contact : rows.contacts()) {
    if (contact.sample->depth <= 0) continue;
    RowMatrix inputs(static_cast<Eigen::Index>(contact.rows.size()), rows.width());
    for (size_t i = 0; i < contact.rows.size(); ++i) {
      rows.Fill(contact, contact.rows[i], inputs.row(static_cast<Eigen::Index>(i)).data());
    }
    const RowMatrix outputs = rows.output_scale() * network.Evaluate(result.trained.parameters, inputs, {});
    double inside = 0, off = 0;
    for (size_t i = 0; i < contact.rows.size(); ++i) {
      const PressRow& row = contact.rows[i];
      inside += row.r.squaredNorm();
      off += (row.factor * outputs.row(static_cast<Eigen::Index>(i)).transpose() - row.r).squaredNorm();
    }
    error[contact.held ? 1 : 0] += off + std::max(0.0, contact.sample->total - inside);
    whole[contact.held ? 1 : 0] += contact.sample->total;
  }
  result.network_seen = whole[0] > 0 ? std::sqrt(error[0] / whole[0]) : 0;
  result.network_held = whole[1] > 0 ? std::sqrt(error[1] / whole[1]) : 0;
}

}  // namespace

PressField TrainPressField(const PressSubject& subject, std::span<const PressShard> shards, int width,
                           const TrainOptions& options) {
  const PressRows rows(subject, shards);
  const layers::DescribedNetwork network(DescribeTanhNetwork(rows.width(), 1, width, 3), "contact field");
  RowBatch validation;
  Random random(options.seed, kValidationStream);
  rows.Draw(random, true, validation);
  PressField result;
  result.trained = TrainNetwork(
      network, [&](Random& numbers, RowBatch& batch) { rows.Draw(numbers, false, batch); }, validation, options);
  result.field = FieldOf(subject, rows, network, result.trained.parameters);
  MeasureNetwork(rows, network, result);
  const tables::BuiltContact built = tables::BuildContact({result.field});
  result.errors = MeasurePresses(subject, shards, built.table);
  return result;
}

}  // namespace sinew::contact
