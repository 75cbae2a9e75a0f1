#include "sinew/offline/learn/layers/joint_layers.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <vector>

#include "sinew/offline/learn/layers/pooling.h"
#include "sinew/offline/learn/layers/skeleton_conv.h"

namespace sinew::layers {
namespace {

// The first channels are the weights of the joints, by which the other channels are pooled. measured: a channel before
// them says how much each row counts, as the area that it stands for.
class SkinningPoolLayer : public LayerKind {
 public:
  SkinningPoolLayer(int channels, int joints, bool measured)
      : joints_(joints), first_(measured ? 1 : 0), channels_(channels - joints - first_) {}
  int outputs() const override { return channels_; }
  RowChange row_change() const override { return RowChange::kPool; }
  int pools_to() const override { return joints_; }
  void Forward(const LayerContext&, const ConstRows& x, const float*, LayerTrace& trace) const override {
    trace.output.resize(joints_, channels_);
    SkinningPool(WeightsOf(x), x.rightCols(channels_), trace.output);
  }
  void Backward(const LayerContext&, const ConstRows& x, const float*, const LayerTrace& trace, const ConstRows& dy,
                Rows* dx, float*) const override {
    if (dx == nullptr) return;
    RowMatrix dcounted = RowMatrix::Zero(x.rows(), joints_);
    Rows dweights(dcounted), drest = dx->rightCols(channels_);
    SkinningPoolBackward(WeightsOf(x), x.rightCols(channels_), trace.output, dy, &dweights, &drest);
    if (first_ > 0) {
      dx->col(0) += dcounted.cwiseProduct(x.middleCols(first_, joints_)).rowwise().sum();
      dcounted.array().colwise() *= x.col(0).array();
    }
    dx->middleCols(first_, joints_) += dcounted;
  }

 private:
  RowMatrix WeightsOf(const ConstRows& x) const {
    RowMatrix weights = x.middleCols(first_, joints_);
    if (first_ > 0) weights.array().colwise() *= x.col(0).array();
    return weights;
  }

  int joints_, first_, channels_;
};

// The first channels are how sure each row is of each point, the others its votes for them.
class VotePoolLayer : public LayerKind {
 public:
  VotePoolLayer(int points, float spread_scale) : points_(points), scale_(spread_scale) {}
  int outputs() const override { return 4 * points_; }
  void Forward(const LayerContext&, const ConstRows& x, const float*, LayerTrace& trace) const override {
    trace.vote_weights = VotePool(x.leftCols(points_), x.rightCols(3 * points_), scale_, trace.output);
  }
  void Backward(const LayerContext&, const ConstRows& x, const float*, const LayerTrace& trace, const ConstRows& dy,
                Rows* dx, float*) const override {
    if (dx == nullptr) return;
    VotePoolBackward(x.rightCols(3 * points_), scale_, trace.vote_weights, trace.output, dy, dx->leftCols(points_),
                     dx->rightCols(3 * points_));
  }

 private:
  int points_;
  float scale_;
};

// Every joint sees those near it on the skeleton, each through a matrix of its own.
class SkeletonConvLayer : public LayerKind {
 public:
  SkeletonConvLayer(int inputs, int outputs, const std::vector<int>& parents, int distance, float scale)
      : inputs_(inputs),
        outputs_(outputs),
        joints_(static_cast<int>(parents.size())),
        scale_(scale),
        pairs_(PairsWithin(parents, distance)) {}
  int outputs() const override { return outputs_; }
  int joints() const override { return joints_; }
  std::vector<LayerTensor> Tensors() const override {
    const int rows = WeightRows();
    // Glorot's bound is that of one joint, which sees a few others, not that of the whole stack of matrices.
    const double seen = static_cast<double>(rows) / joints_;
    const auto scale = static_cast<float>(scale_ * std::sqrt((rows + outputs_) / (seen + outputs_)));
    return {{"weight", rows, outputs_, InitialValues::kGlorot, scale}, {"bias", joints_, outputs_}};
  }
  void Forward(const LayerContext&, const ConstRows& x, const float* tensors, LayerTrace& trace) const override {
    SkeletonConv(pairs_, x, Weight(tensors), Bias(tensors), trace.output);
  }
  void Backward(const LayerContext&, const ConstRows& x, const float* tensors, const LayerTrace&, const ConstRows& dy,
                Rows* dx, float* gradient) const override {
    SkeletonConvBackward(pairs_, x, Weight(tensors), dy, dx, Weight(gradient), Bias(gradient));
  }

 private:
  int WeightRows() const { return static_cast<int>(pairs_.size()) * inputs_; }
  Eigen::Map<const RowMatrix> Weight(const float* tensors) const { return {tensors, WeightRows(), outputs_}; }
  Eigen::Map<RowMatrix> Weight(float* tensors) const { return {tensors, WeightRows(), outputs_}; }
  Eigen::Map<const RowMatrix> Bias(const float* tensors) const { return {tensors + Offset(), joints_, outputs_}; }
  Eigen::Map<RowMatrix> Bias(float* tensors) const { return {tensors + Offset(), joints_, outputs_}; }
  size_t Offset() const { return static_cast<size_t>(WeightRows()) * static_cast<size_t>(outputs_); }

  int inputs_, outputs_, joints_;
  float scale_;
  JointPairs pairs_;
};

class ChainSumLayer : public LayerKind {
 public:
  ChainSumLayer(int channels, std::vector<int> parents) : channels_(channels), parents_(std::move(parents)) {}
  int outputs() const override { return channels_; }
  int joints() const override { return static_cast<int>(parents_.size()); }
  void Forward(const LayerContext&, const ConstRows& x, const float*, LayerTrace& trace) const override {
    ChainSum(parents_, x, trace.output);
  }
  void Backward(const LayerContext&, const ConstRows&, const float*, const LayerTrace&, const ConstRows& dy, Rows* dx,
                float*) const override {
    if (dx != nullptr) ChainSumBackward(parents_, dy, *dx);
  }

 private:
  int channels_;
  std::vector<int> parents_;
};

// Gives every row of the surface the channels of all joints, one joint after another.
class ToRowsLayer : public LayerKind {
 public:
  ToRowsLayer(int channels, int joints) : channels_(channels), joints_(joints) {}
  int outputs() const override { return channels_ * joints_; }
  int joints() const override { return joints_; }
  RowChange row_change() const override { return RowChange::kUnpool; }
  void Forward(const LayerContext& at, const ConstRows& x, const float*, LayerTrace& trace) const override {
    const RowMatrix all = x;
    trace.output.resize(at.rows, outputs());
    trace.output.rowwise() = Eigen::Map<const Eigen::RowVectorXf>(all.data(), outputs());
  }
  void Backward(const LayerContext&, const ConstRows&, const float*, const LayerTrace&, const ConstRows& dy, Rows* dx,
                float*) const override {
    if (dx == nullptr) return;
    std::vector<float> sums(static_cast<size_t>(outputs()), 0);
    AddColumnSums(dy, sums);
    *dx += Eigen::Map<const RowMatrix>(sums.data(), joints_, channels_);
  }

 private:
  int channels_, joints_;
};

std::vector<int> ParentsOf(const JsonFields& fields) {
  const Json& list = fields.List("parents");
  constexpr size_t kMaxParents = 256;  // of whose pairs a description need not be as long
  if (list.empty() || list.size() > kMaxParents) fields.Fail(fmt::format("has no 1 to {} parents", kMaxParents));
  std::vector<int> parents;
  for (const Json& value : list) {
    const auto joint = static_cast<int64_t>(parents.size());
    parents.push_back(static_cast<int>(fields.Integer(value, "parents", -1, joint - 1)));
  }
  return parents;
}

}  // namespace

std::unique_ptr<LayerKind> MakeSkinningPool(const JsonFields& fields, int inputs) {
  const auto joints = static_cast<int>(fields.Integer("joints", 1, kMaxJoints));
  const bool measured = fields.OptionalBool("measured");
  if (joints + (measured ? 1 : 0) >= inputs) {
    fields.Fail(fmt::format("pools by {} weights and has {} channels", joints, inputs));
  }
  return std::make_unique<SkinningPoolLayer>(inputs, joints, measured);
}

std::unique_ptr<LayerKind> MakeVotePool(const JsonFields& fields, int inputs) {
  const auto points = static_cast<int>(fields.Integer("points", 1, kMaxChannels / 4));
  if (inputs != 4 * points) fields.Fail(fmt::format("pools votes for {} points and has {} channels", points, inputs));
  const float scale = fields.Has("spread_scale") ? fields.Number("spread_scale") : 1;
  if (!(scale > 0)) fields.Fail("\"spread_scale\" is not positive");
  return std::make_unique<VotePoolLayer>(points, scale);
}

std::unique_ptr<LayerKind> MakeSkeletonConv(const JsonFields& fields, int inputs) {
  const auto outputs = static_cast<int>(fields.Integer("outputs", 1, kMaxChannels));
  const auto distance = static_cast<int>(fields.Integer("distance", 0, kMaxJoints));
  const std::vector<int> parents = ParentsOf(fields);
  constexpr size_t kMaxRows = size_t{1} << 28;
  if (PairsWithin(parents, distance).size() * static_cast<size_t>(inputs) > kMaxRows) {
    fields.Fail("has more than 2^28 rows of weights");
  }
  CheckRate(fields);
  return std::make_unique<SkeletonConvLayer>(inputs, outputs, parents, distance, InitialScale(fields));
}

std::unique_ptr<LayerKind> MakeChainSum(const JsonFields& fields, int inputs) {
  return std::make_unique<ChainSumLayer>(inputs, ParentsOf(fields));
}

std::unique_ptr<LayerKind> MakeToRows(const JsonFields& fields, int inputs) {
  const auto joints = static_cast<int>(fields.Integer("joints", 1, kMaxJoints));
  return std::make_unique<ToRowsLayer>(inputs, joints);
}

}  // namespace sinew::layers
