#include "sinew/offline/contact/contact_field.h"

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/learn/layers/activation.h"
#include "sinew/offline/learn/layers/linear.h"
#include "sinew/runtime/base/half.h"

namespace sinew::contact {
namespace {

using Eigen::Vector2d;
using Eigen::Vector2f;
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

Vector2f DisplacementOf(const ContactSample& sample, int node) {
  if (sample.r.empty()) return Vector2f::Zero();
  return {runtime::HalfToFloat(sample.r[2 * node]), runtime::HalfToFloat(sample.r[2 * node + 1])};
}

FieldInputs::FieldInputs(const PlaneObject& object, FieldKind kind, const SampleRef& ref)
    : object_(object), kind_(kind), shard_(*ref.shard) {
  const elasticity::HandleSubspace& subspace = object.subspace;
  if (static_cast<int>(shard_.state.size()) != subspace.state_size() ||
      shard_.node_count() != object.mesh.node_count()) {
    throw UsageError("contact samples of another object; make them again for this one");
  }
  R_ = elasticity::PlanePose{.angle = ref.sample->angle}.Rotation();
  position_ = Vector2d(ref.sample->position[0], ref.sample->position[1]);
  const Eigen::Map<const Eigen::VectorXd> state(shard_.state.data(), subspace.state_size());
  Eigen::VectorXd carried = CarryState(subspace, state, R_, position_);
  for (size_t j = 0; j < subspace.handles().size(); ++j) {
    carried.segment<2>(subspace.offsets()[j + 1] - 2) /= shard_.size;
    for (int i = 0; i < subspace.handles()[j].size(); ++i) handle_of_.push_back(static_cast<int>(j));
  }
  handles_ = carried.cast<float>();
}

Vector2f FieldInputs::Place(int node) const {
  const Vector2d x(shard_.positions[2 * node], shard_.positions[2 * node + 1]);
  return (R_.transpose() * (x - position_) / shard_.size).cast<float>();
}

float FieldInputs::Factor(int node, int i) const {
  if (kind_ == FieldKind::kDense) return 1;
  const elasticity::HandleSubspace& subspace = object_.subspace;
  const int j = handle_of_[i];
  const double w = subspace.weights()(node, j);
  const int within = i - subspace.offsets()[j];
  // The last two numbers of a handle are its position.
  if (kind_ == FieldKind::kSparse || within >= subspace.handles()[j].size() - 2) return static_cast<float>(w);
  return static_cast<float>(w * (subspace.rest()(node, within % 2) - subspace.handles()[j].centre[within % 2]) /
                            shard_.size);
}

void FieldInputs::FillRow(int node, float* row) const {
  const Vector2f place = Place(node);
  row[0] = place[0];
  row[1] = place[1];
  for (int i = 0; i < handles_.size(); ++i) row[2 + i] = Factor(node, i) * handles_[i];
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

ContactField::ContactField(const PlaneObject& object, const FieldShape& shape, std::vector<float> input_scales,
                           float output_scale)
    : object_(&object),
      shape_(shape),
      input_scales_(std::move(input_scales)),
      output_scale_(output_scale),
      network_(std::make_unique<layers::DescribedNetwork>(
          DescribeTanhNetwork(FieldInputs::Width(object), shape.hidden_layers, shape.width, 2), "contact field")) {
  if (static_cast<int>(input_scales_.size()) != FieldInputs::Width(object)) {
    throw UsageError("a contact field needs one scale per input");
  }
}

RowMatrix ContactField::PredictByRows(const SampleRef& ref) const {
  const FieldInputs inputs(*object_, shape_.kind, ref);
  RowMatrix rows(object_->mesh.node_count(), FieldInputs::Width(*object_));
  for (int n = 0; n < rows.rows(); ++n) {
    inputs.FillRow(n, rows.row(n).data());
    for (int i = 0; i < rows.cols(); ++i) rows(n, i) /= input_scales_[i];
  }
  return output_scale_ * network_->Evaluate(parameters_, rows, {});
}

RowMatrix ContactField::Predict(const SampleRef& ref) const {
  // Factors differ between the numbers of one handle only in the literal form.
  if (shape_.kind == FieldKind::kLiteral) return PredictByRows(ref);
  const FieldInputs inputs(*object_, shape_.kind, ref);
  const bool dense = shape_.kind == FieldKind::kDense;
  const int handles = static_cast<int>(object_->subspace.handles().size()), groups = dense ? 1 : handles;
  const MatrixMap W1 = TensorOf(*network_, parameters_, 0);
  // g_j: what the numbers of handle j add to the hidden units of a node of weight 1.
  RowMatrix first(2 + groups, shape_.width);
  first.setZero();
  for (int i = 0; i < 2; ++i) first.row(i) = W1.row(i) / input_scales_[i];
  for (int j = 0; j < handles; ++j) {
    for (int i = object_->subspace.offsets()[j]; i < object_->subspace.offsets()[j + 1]; ++i) {
      first.row(2 + (dense ? 0 : j)) += inputs.handles()[i] / input_scales_[2 + i] * W1.row(2 + i);
    }
  }
  RowMatrix rows(object_->mesh.node_count(), 2 + groups);
  for (int n = 0; n < rows.rows(); ++n) {
    rows.row(n).head<2>() = inputs.Place(n).transpose();
    for (int j = 0; j < groups; ++j) rows(n, 2 + j) = inputs.Factor(n, object_->subspace.offsets()[j]);
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
