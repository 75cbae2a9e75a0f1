#include "sinew/offline/contact/train_field.h"

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"

namespace sinew::contact {
namespace {

// Unit of z-bar, in collider sizes. Displacements change over fractions of the collider; with the root mean square over
// the whole body as unit, the first layer would have to grow its weights for long before it could tell them apart.
constexpr float kPlaceScale = 0.25f;
constexpr float kNear = 1.2f;       // in collider sizes
constexpr int kScaleSamples = 512;  // by which scales are found
constexpr int kScaleNodes = 64;     // of each of them
constexpr int kHeldBack = 20;       // one chain of so many
constexpr uint64_t kScaleStream = ~uint64_t{0}, kValidationStream = ~uint64_t{1};

// Draws an index below `count`, half of the time one of `near`, and returns by how much to weigh it so that all indices
// count alike.
struct Drawn {
  int index = 0;
  float weight = 1;
};
Drawn DrawMixed(Random& random, int count, const std::vector<int>& near, const std::vector<uint8_t>& is_near) {
  const bool from_near = !near.empty() && random.Uniform() < 0.5;
  Drawn drawn;
  drawn.index = from_near ? near[random.Below(static_cast<uint32_t>(near.size()))]
                          : static_cast<int>(random.Below(static_cast<uint32_t>(count)));
  if (near.empty()) return drawn;
  const double share = static_cast<double>(count) / static_cast<double>(near.size());
  drawn.weight = static_cast<float>(1 / (0.5 + (is_near[drawn.index] != 0 ? 0.5 * share : 0)));
  return drawn;
}

}  // namespace

FieldRows::FieldRows(const ContactObject& object, FieldKind kind, std::vector<SampleRef> refs,
                     const FieldRowOptions& options, uint64_t seed)
    : object_(object),
      kind_(kind),
      refs_(std::move(refs)),
      options_(options),
      input_scales_(FieldInputs::Width(object), 1.0f) {
  if (refs_.empty()) throw UsageError("there are no contact samples to train on; make more");
  FindScales(seed);
}

void FieldRows::FindScales(uint64_t seed) {
  Random random(seed, kScaleStream);
  const int width = FieldInputs::Width(object_), edge_count = static_cast<int>(object_.edges.size());
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(width);
  double output = 0, edges = 0;
  Eigen::RowVectorXf row(width);
  const auto count = static_cast<double>(kScaleSamples) * kScaleNodes;
  for (int s = 0; s < kScaleSamples; ++s) {
    const SampleRef& ref = refs_[random.Below(static_cast<uint32_t>(refs_.size()))];
    const FieldInputs inputs(object_, kind_, ref);
    for (int i = 0; i < kScaleNodes; ++i) {
      const int node = static_cast<int>(random.Below(static_cast<uint32_t>(object_.node_count())));
      inputs.FillRow(node, row.data());
      squares += row.cast<double>().cwiseAbs2().transpose() / count;
      output += DisplacementOf(ref, node).squaredNorm() / count;
      const int at = static_cast<int>(random.Below(static_cast<uint32_t>(edge_count)));
      const auto [a, b] = object_.edges[at];
      edges += (DisplacementOf(ref, a) - DisplacementOf(ref, b)).squaredNorm() / count;
    }
  }
  for (int i = 0; i < width; ++i) input_scales_[i] = squares[i] > 1e-12 ? static_cast<float>(std::sqrt(squares[i])) : 1;
  for (int k = 0; k < object_.dimension(); ++k) input_scales_[k] = kPlaceScale;
  output_scale_ = output > 0 ? static_cast<float>(std::sqrt(output)) : 1;
  edge_scale_ = edges > 0 ? static_cast<float>(edges / output) : 1;
}

void FieldRows::TakeScales(const FieldRows& other) {
  input_scales_ = other.input_scales_;
  output_scale_ = other.output_scale_;
  edge_scale_ = other.edge_scale_;
}

void FieldRows::PutRow(const FieldInputs& inputs, const SampleRef& ref, int node, int row, RowBatch& batch) const {
  float* values = batch.inputs.row(row).data();
  inputs.FillRow(node, values);
  for (size_t i = 0; i < input_scales_.size(); ++i) values[i] /= input_scales_[i];
  const PlaceVector r = DisplacementOf(ref, node);
  for (Eigen::Index k = 0; k < r.size(); ++k) batch.targets(row, k) = r[k] / output_scale_;
}

void FieldRows::FillSample(Random& random, const SampleRef& ref, int first, int index, RowBatch& batch) const {
  const FieldInputs inputs(object_, kind_, ref);
  const int nodes = object_.node_count(), edge_count = static_cast<int>(object_.edges.size());
  std::vector<int> near, near_edges;
  std::vector<uint8_t> is_near(nodes, 0), is_near_edge(edge_count, 0);
  for (int n = 0; n < nodes; ++n) {
    if (inputs.Place(n).squaredNorm() > kNear * kNear) continue;
    near.push_back(n);
    is_near[n] = 1;
  }
  for (int e = 0; e < edge_count; ++e) {
    if (is_near[object_.edges[e].first] == 0) continue;
    near_edges.push_back(e);
    is_near_edge[e] = 1;
  }
  const float per_node = 1.0f / static_cast<float>(options_.samples * options_.nodes);
  const float per_edge = 1.0f / (static_cast<float>(options_.samples * options_.edges) * edge_scale_);
  int row = first;
  for (int i = 0; i < options_.nodes; ++i, ++row) {
    const Drawn drawn = DrawMixed(random, nodes, near, is_near);
    PutRow(inputs, ref, drawn.index, row, batch);
    batch.weights[row] = per_node * drawn.weight;
  }
  for (int i = 0; i < options_.edges; ++i, row += 2) {
    const Drawn drawn = DrawMixed(random, edge_count, near_edges, is_near_edge);
    PutRow(inputs, ref, object_.edges[drawn.index].first, row, batch);
    PutRow(inputs, ref, object_.edges[drawn.index].second, row + 1, batch);
    batch.edges[index * options_.edges + i] = {row, row + 1};
    batch.edge_weights[index * options_.edges + i] = per_edge * drawn.weight;
  }
}

void FieldRows::Fill(Random& random, RowBatch& batch) const {
  const int per_sample = options_.nodes + 2 * options_.edges, rows = options_.samples * per_sample;
  batch.inputs.resize(rows, FieldInputs::Width(object_));
  batch.targets.resize(rows, object_.dimension());
  batch.weights.assign(rows, 0.0f);
  batch.edges.resize(static_cast<size_t>(options_.samples) * options_.edges);
  batch.edge_weights.resize(batch.edges.size());
  std::vector<uint64_t> seeds(options_.samples);
  for (uint64_t& seed : seeds) {
    const uint64_t high = random.Bits();
    seed = high << 32 | random.Bits();
  }
  ParallelFor(options_.samples, 1, [&](int s) {
    Random own(seeds[s]);
    const SampleRef& ref = refs_[own.Below(static_cast<uint32_t>(refs_.size()))];
    FillSample(own, ref, s * per_sample, s, batch);
  });
}

std::pair<std::vector<SampleRef>, std::vector<SampleRef>> HoldBack(std::span<const ContactShard> shards) {
  std::pair<std::vector<SampleRef>, std::vector<SampleRef>> split;
  int chain = 0;
  for (const ContactShard& shard : shards) {
    const ContactSample* before = nullptr;
    for (const ContactSample& sample : shard.samples) {
      if (before == nullptr || before->turn != sample.turn) ++chain;
      before = &sample;
      (chain % kHeldBack == kHeldBack / 2 ? split.second : split.first).push_back({&shard, &sample});
    }
  }
  if (split.second.empty()) split.second = split.first;
  return split;
}

ContactField TrainField(const ContactObject& object, const FieldShape& shape, std::span<const ContactShard> shards,
                        const FieldRowOptions& rows, const TrainOptions& options, Trained* trained) {
  const auto [seen, held] = HoldBack(shards);
  const FieldRows maker(object, shape.kind, seen, rows, options.seed);
  FieldRows held_maker(object, shape.kind, held, rows, options.seed);
  held_maker.TakeScales(maker);
  RowBatch validation;
  Random random(options.seed, kValidationStream);
  held_maker.Fill(random, validation);
  ContactField field(object, shape, maker.input_scales(), maker.output_scale());
  Trained result = TrainNetwork(
      field.network(), [&](Random& numbers, RowBatch& batch) { maker.Fill(numbers, batch); }, validation, options);
  field.set_parameters(result.parameters);
  if (trained != nullptr) *trained = std::move(result);
  return field;
}

}  // namespace sinew::contact
