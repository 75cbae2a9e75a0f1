#include "sinew/offline/contact/object_centric.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "sinew/offline/contact/train_field.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/parallel.h"

namespace sinew::contact {
namespace {

using Eigen::MatrixXf;
using Eigen::RowVectorXf;
using Eigen::VectorXf;

Eigen::MatrixXf RotationOf(const SampleRef& ref) {
  return ref.sample->turn.Rotation(ref.shard->dimension).cast<float>();
}

// Displacement of all nodes in the object's space, in shares of the collider's size.
VectorXf ObjectSpace(const SampleRef& ref) {
  const int nodes = ref.shard->node_count(), d = ref.shard->dimension;
  const MatrixXf R = RotationOf(ref);
  VectorXf u(d * nodes);
  for (int n = 0; n < nodes; ++n) u.segment(d * n, d) = R * DisplacementOf(ref, n);
  return u;
}

// The state, and the collider's pose: its position, and cosine and sine in the plane, or its matrix in space.
RowVectorXf RawInputs(const SampleRef& ref) {
  std::vector<float> row(ref.shard->state.begin(), ref.shard->state.end());
  const int d = ref.shard->dimension;
  for (int k = 0; k < d; ++k) row.push_back(static_cast<float>(ref.sample->position[k] / ref.shard->size));
  if (d == 2) {
    row.push_back(static_cast<float>(std::cos(ref.sample->turn.angle)));
    row.push_back(static_cast<float>(std::sin(ref.sample->turn.angle)));
  } else {
    const MatrixXf R = RotationOf(ref);
    row.insert(row.end(), R.data(), R.data() + R.size());
  }
  return Eigen::Map<RowVectorXf>(row.data(), static_cast<Eigen::Index>(row.size()));
}

// Spread below which an input counts as one that never changes. Divided by less, a small change of it in a test state
// would saturate all units.
constexpr float kConstant = 1e-3f;

// Principal components by the eigenvectors of the samples' inner products.
MatrixXf FindBasis(const std::vector<SampleRef>& refs, const ObjectCentricOptions& options, VectorXf& mean) {
  const size_t count = std::min(refs.size(), static_cast<size_t>(options.basis_samples));
  MatrixXf data(refs[0].shard->positions.size(), count);
  ParallelFor(static_cast<int>(count), 8, [&](int i) { data.col(i) = ObjectSpace(refs[i * refs.size() / count]); });
  mean = data.rowwise().mean();
  data.colwise() -= mean;
  const Eigen::MatrixXd inner = (data.transpose() * data).cast<double>();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(inner);
  const auto last = static_cast<Eigen::Index>(count);
  const double floor = 1e-9 * std::max(eigen.eigenvalues()[last - 1], 1e-30);
  Eigen::Index kept = 0;
  while (kept < std::min<Eigen::Index>(last, options.max_components) && eigen.eigenvalues()[last - 1 - kept] > floor) {
    ++kept;
  }
  MatrixXf basis(data.rows(), kept);
  for (Eigen::Index k = 0; k < kept; ++k) {
    const VectorXf direction = eigen.eigenvectors().col(last - 1 - k).cast<float>();
    basis.col(k) = data * direction / static_cast<float>(std::sqrt(eigen.eigenvalues()[last - 1 - k]));
  }
  return basis;
}

RowBatch MakeBatch(const learn::RowMatrix& inputs, const learn::RowMatrix& targets, const std::vector<int>& rows) {
  RowBatch batch;
  batch.inputs.resize(static_cast<Eigen::Index>(rows.size()), inputs.cols());
  batch.targets.resize(static_cast<Eigen::Index>(rows.size()), targets.cols());
  batch.weights.assign(rows.size(), 1.0f / static_cast<float>(rows.size()));
  for (size_t i = 0; i < rows.size(); ++i) {
    batch.inputs.row(i) = inputs.row(rows[i]);
    batch.targets.row(i) = targets.row(rows[i]);
  }
  return batch;
}

}  // namespace

RowVectorXf ObjectCentricModel::InputsOf(const SampleRef& ref) const {
  return (RawInputs(ref) - input_mean_).cwiseQuotient(input_scale_);
}

learn::RowMatrix ObjectCentricModel::Predict(const SampleRef& ref) const {
  const learn::RowMatrix coefficients = output_scale_ * network_->Evaluate(parameters_, InputsOf(ref), {});
  const VectorXf u = mean_ + basis_ * coefficients.row(0).transpose();
  const MatrixXf R = RotationOf(ref);
  const Eigen::Index d = R.rows();
  learn::RowMatrix r(u.size() / d, d);
  for (Eigen::Index n = 0; n < r.rows(); ++n) r.row(n) = (R.transpose() * u.segment(d * n, d)).transpose();
  return r;
}

ObjectCentricModel TrainObjectCentric(const ContactObject& object, std::span<const ContactShard> shards,
                                      const ObjectCentricOptions& settings, const TrainOptions& options,
                                      Trained* trained) {
  const auto [seen, held] = HoldBack(shards);
  if (seen.empty() || seen[0].shard->node_count() != object.node_count()) {
    throw UsageError("there are no contact samples of this object to train on; make them first");
  }
  ObjectCentricModel model;
  model.basis_ = FindBasis(seen, settings, model.mean_);
  // Inputs are standardised; numbers that never change are left out by a mean that they are equal to.
  learn::RowMatrix raw(static_cast<Eigen::Index>(seen.size()), RawInputs(seen[0]).size());
  for (size_t i = 0; i < seen.size(); ++i) raw.row(i) = RawInputs(seen[i]);
  model.input_mean_ = raw.colwise().mean();
  model.input_scale_ = (raw.rowwise() - model.input_mean_).colwise().norm() / std::sqrt(static_cast<float>(raw.rows()));
  model.input_scale_ = (model.input_scale_.array() > kConstant).select(model.input_scale_, 1.0f);
  const auto rows_of = [&](const std::vector<SampleRef>& refs) {
    learn::RowMatrix inputs(static_cast<Eigen::Index>(refs.size()), raw.cols());
    learn::RowMatrix targets(static_cast<Eigen::Index>(refs.size()), model.component_count());
    ParallelFor(static_cast<int>(refs.size()), 8, [&](int i) {
      inputs.row(i) = model.InputsOf(refs[i]);
      targets.row(i) = (model.basis_.transpose() * (ObjectSpace(refs[i]) - model.mean_)).transpose();
    });
    return std::pair(inputs, targets);
  };
  auto [inputs, targets] = rows_of(seen);
  auto [held_inputs, held_targets] = rows_of(held);
  model.output_scale_ = std::max(targets.norm() / std::sqrt(static_cast<float>(targets.rows())), 1e-12f);
  targets /= model.output_scale_;
  held_targets /= model.output_scale_;
  model.network_ = std::make_shared<layers::DescribedNetwork>(
      DescribeTanhNetwork(static_cast<int>(raw.cols()), 1, settings.width, model.component_count()),
      "object-centric baseline");
  std::vector<int> all_held(held.size());
  for (size_t i = 0; i < held.size(); ++i) all_held[i] = static_cast<int>(i);
  const auto make = [&, &inputs = inputs, &targets = targets](Random& random, RowBatch& batch) {
    std::vector<int> rows(settings.batch);
    for (int& row : rows) row = static_cast<int>(random.Below(static_cast<uint32_t>(inputs.rows())));
    batch = MakeBatch(inputs, targets, rows);
  };
  Trained result = TrainNetwork(*model.network_, make, MakeBatch(held_inputs, held_targets, all_held), options);
  model.parameters_ = result.parameters;
  if (trained != nullptr) *trained = std::move(result);
  return model;
}

}  // namespace sinew::contact
