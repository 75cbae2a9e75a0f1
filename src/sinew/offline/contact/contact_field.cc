#include "sinew/offline/contact/contact_field.h"

#include <algorithm>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/learn/layers/activation.h"
#include "sinew/offline/learn/layers/linear.h"
#include "sinew/runtime/base/half.h"

namespace sinew::contact {
namespace {

using layers::RowMatrix;
using MatrixMap = Eigen::Map<const RowMatrix>;

// Weight matrix or bias of a network, by the order of its tensors: weight and bias of the first layer, of the second
// ...
MatrixMap TensorOf(const layers::DescribedNetwork& network, const std::vector<float>& parameters, int index) {
  const layers::TensorPlace& place = network.tensors()[index];
  return {parameters.data() + place.offset, place.rows, place.columns};
}

}  // namespace

std::vector<SampleRef> ListSamples(std::span<const ContactShard> shards) {
  std::vector<SampleRef> refs;
  for (const ContactShard& shard : shards) {
    for (const ContactSample& sample : shard.samples) refs.push_back({&shard, &sample});
  }
  return refs;
}

PlaceVector DisplacementOf(const SampleRef& ref, int node) {
  const int d = ref.shard->dimension;
  PlaceVector r = PlaceVector::Zero(d);
  if (ref.sample->r.empty()) return r;
  for (int k = 0; k < d; ++k) r[k] = runtime::HalfToFloat(ref.sample->r[d * node + k]);
  return r;
}

FieldInputs::FieldInputs(const ContactObject& object, FieldKind kind, const SampleRef& ref)
    : object_(object), kind_(kind), shard_(*ref.shard) {
  const elasticity::HandleSubspace& subspace = object.subspace;
  const int d = object.dimension();
  if (shard_.dimension != d || static_cast<int>(shard_.state.size()) != subspace.state_size() ||
      shard_.node_count() != object.node_count()) {
    throw UsageError("contact samples of another object; make them again for this one");
  }
  R_ = ref.sample->turn.Rotation(d);
  position_ = Eigen::Map<const Eigen::VectorXd>(ref.sample->position.data(), d);
  const Eigen::Map<const Eigen::VectorXd> state(shard_.state.data(), subspace.state_size());
  Eigen::VectorXd carried = CarryState(subspace, state, R_, position_);
  for (size_t j = 0; j < subspace.handles().size(); ++j) {
    carried.segment(subspace.offsets()[j + 1] - d, d) /= shard_.size;
    for (int i = 0; i < subspace.handles()[j].size(); ++i) handle_of_.push_back(static_cast<int>(j));
  }
  handles_ = carried.cast<float>();
}

PlaceVector FieldInputs::Place(int node) const {
  const int d = object_.dimension();
  const SmallVector x = Eigen::Map<const Eigen::VectorXf>(shard_.positions.data() + d * node, d).cast<double>();
  return (R_.transpose() * (x - position_) / shard_.size).cast<float>();
}

float FieldInputs::Factor(int node, int i) const {
  if (kind_ == FieldKind::kDense) return 1;
  const elasticity::HandleSubspace& subspace = object_.subspace;
  const int j = handle_of_[i];
  const int d = subspace.dimension(), within = i - subspace.offsets()[j];
  // The last numbers of a handle are its position.
  if (kind_ == FieldKind::kSparse || within >= subspace.handles()[j].size() - d) {
    return static_cast<float>(subspace.weights()(node, j));
  }
  return static_cast<float>(subspace.functions()(node, subspace.offsets()[j] / d + within % d) / shard_.size);
}

void FieldInputs::FillRow(int node, float* row) const {
  const PlaceVector place = Place(node);
  row = std::copy(place.begin(), place.end(), row);
  for (int i = 0; i < handles_.size(); ++i) row[i] = Factor(node, i) * handles_[i];
}

Json DescribeTanhNetwork(int inputs, int hidden_layers, int width, int outputs) {
  Json list = Json::array();
  for (int layer = 0; layer < hidden_layers; ++layer) {
    list.push_back({{"kind", "linear"}, {"outputs", width}});
    list.push_back({{"kind", "tanh"}});
  }
  list.push_back({{"kind", "linear"}, {"outputs", outputs}});
  return {{"inputs", inputs}, {"layers", list}};
}

ContactField::ContactField(const ContactObject& object, const FieldShape& shape, std::vector<float> input_scales,
                           float output_scale)
    : object_(&object),
      shape_(shape),
      input_scales_(std::move(input_scales)),
      output_scale_(output_scale),
      network_(std::make_unique<layers::DescribedNetwork>(
          DescribeTanhNetwork(FieldInputs::Width(object), shape.hidden_layers, shape.width, object.dimension()),
          "contact field")) {
  if (static_cast<int>(input_scales_.size()) != FieldInputs::Width(object)) {
    throw UsageError("a contact field needs one scale per input");
  }
}

RowMatrix ContactField::InputRows(const SampleRef& ref) const {
  const FieldInputs inputs(*object_, shape_.kind, ref);
  RowMatrix rows(object_->node_count(), FieldInputs::Width(*object_));
  for (int n = 0; n < rows.rows(); ++n) {
    inputs.FillRow(n, rows.row(n).data());
    for (int i = 0; i < rows.cols(); ++i) rows(n, i) /= input_scales_[i];
  }
  return rows;
}

RowMatrix ContactField::PredictByRows(const SampleRef& ref) const {
  return output_scale_ * network_->Evaluate(parameters_, InputRows(ref), {});
}

RowMatrix ContactField::Predict(const SampleRef& ref) const {
  // Factors differ between the numbers of one handle only in the literal form.
  if (shape_.kind == FieldKind::kLiteral) return PredictByRows(ref);
  const FieldInputs inputs(*object_, shape_.kind, ref);
  const bool dense = shape_.kind == FieldKind::kDense;
  const int d = object_->dimension();
  const int handles = static_cast<int>(object_->subspace.handles().size()), groups = dense ? 1 : handles;
  const MatrixMap W1 = TensorOf(*network_, parameters_, 0);
  // g_j: what the numbers of handle j add to the hidden units of a node of weight 1.
  RowMatrix first(d + groups, shape_.width);
  first.setZero();
  for (int i = 0; i < d; ++i) first.row(i) = W1.row(i) / input_scales_[i];
  for (int j = 0; j < handles; ++j) {
    for (int i = object_->subspace.offsets()[j]; i < object_->subspace.offsets()[j + 1]; ++i) {
      first.row(d + (dense ? 0 : j)) += inputs.handles()[i] / input_scales_[d + i] * W1.row(d + i);
    }
  }
  RowMatrix rows(object_->node_count(), d + groups);
  for (int n = 0; n < rows.rows(); ++n) {
    rows.row(n).head(d) = inputs.Place(n).transpose();
    for (int j = 0; j < groups; ++j) rows(n, d + j) = inputs.Factor(n, object_->subspace.offsets()[j]);
  }
  RowMatrix hidden = rows;
  for (int layer = 0; layer <= shape_.hidden_layers; ++layer) {
    const MatrixMap W = TensorOf(*network_, parameters_, 2 * layer),
                    b = TensorOf(*network_, parameters_, 2 * layer + 1);
    RowMatrix next(rows.rows(), W.cols());
    if (layer == 0) {
      layers::Linear(hidden, first, std::span(b.data(), b.size()), next);
    } else {
      layers::Linear(hidden, W, std::span(b.data(), b.size()), next);
    }
    if (layer < shape_.hidden_layers) layers::Activate({}, next, next);
    hidden = std::move(next);
  }
  return output_scale_ * hidden;
}

}  // namespace sinew::contact
