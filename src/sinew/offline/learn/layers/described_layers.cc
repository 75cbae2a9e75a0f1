#include "sinew/offline/learn/layers/described_layers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>

#include "sinew/offline/core/json_fields.h"
#include "sinew/offline/core/nearest_words.h"
#include "sinew/offline/learn/layers/activation.h"
#include "sinew/offline/learn/layers/joint_layers.h"
#include "sinew/offline/learn/layers/linear.h"
#include "sinew/offline/learn/layers/pooling.h"

namespace sinew::layers {
namespace {

Eigen::Map<const RowMatrix> Matrix(const float* values, int rows, int columns) { return {values, rows, columns}; }
Eigen::Map<RowMatrix> Matrix(float* values, int rows, int columns) { return {values, rows, columns}; }
size_t Size(int rows, int columns) { return static_cast<size_t>(rows) * static_cast<size_t>(columns); }

// Linear layers of vertices, and convolutions of edges: a weight matrix on `features` numbers per row, and a bias.
class WeightedLayer : public LayerKind {
 public:
  WeightedLayer(int features, int outputs, bool bias, float scale)
      : features_(features), outputs_(outputs), bias_(bias), scale_(scale) {}
  int outputs() const override { return outputs_; }
  std::vector<LayerTensor> Tensors() const override {
    std::vector<LayerTensor> tensors = {{"weight", features_, outputs_, InitialValues::kGlorot, scale_}};
    if (bias_) tensors.push_back({"bias", 1, outputs_});
    return tensors;
  }

 protected:
  template <typename Number>
  auto Weight(Number* tensors) const {
    return Matrix(tensors, features_, outputs_);
  }
  template <typename Number>
  std::span<Number> Bias(Number* tensors) const {
    return {tensors + Size(features_, outputs_), static_cast<size_t>(bias_ ? outputs_ : 0)};
  }

 private:
  int features_, outputs_;
  bool bias_;
  float scale_;
};

class LinearLayer : public WeightedLayer {
 public:
  using WeightedLayer::WeightedLayer;
  void Forward(const LayerContext&, const ConstRows& x, const float* tensors, LayerTrace& trace) const override {
    Linear(x, Weight(tensors), Bias(tensors), trace.output);
  }
  void Backward(const LayerContext&, const ConstRows& x, const float* tensors, const LayerTrace&, const ConstRows& dy,
                Rows* dx, float* gradient) const override {
    LinearBackward(x, Weight(tensors), dy, dx, Weight(gradient), Bias(gradient));
  }
};

class MeshConvLayer : public WeightedLayer {
 public:
  MeshConvLayer(int features, int outputs, bool bias, float scale, int reach)
      : WeightedLayer(features, outputs, bias, scale), reach_(reach) {}
  bool needs_rings() const override { return true; }
  int reach() const override { return reach_; }
  void Forward(const LayerContext& at, const ConstRows& x, const float* tensors, LayerTrace& trace) const override {
    MeshConv(Rings(at.domain), x, Weight(tensors), Bias(tensors), trace.output);
  }
  void Backward(const LayerContext& at, const ConstRows& x, const float* tensors, const LayerTrace&,
                const ConstRows& dy, Rows* dx, float* gradient) const override {
    MeshConvBackward(Rings(at.domain), x, Weight(tensors), dy, dx, Weight(gradient), Bias(gradient));
  }

 private:
  const EdgeRings& Rings(const Domain& domain) const { return reach_ == 0 ? *domain.rings : domain.wide[reach_ - 1]; }

  int reach_;
};

class BatchNormLayer : public LayerKind {
 public:
  explicit BatchNormLayer(int channels) : channels_(channels) {}
  int outputs() const override { return channels_; }
  std::vector<LayerTensor> Tensors() const override {
    return {{"gamma", 1, channels_, InitialValues::kOne},
            {"beta", 1, channels_},
            {.name = "mean", .columns = channels_, .trained = false},
            {.name = "variance", .columns = channels_, .initial = InitialValues::kOne, .trained = false}};
  }
  void Forward(const LayerContext& at, const ConstRows& x, const float* tensors, LayerTrace& trace) const override {
    trace.statistics = at.training ? StatisticsOf(x) : Stored(tensors);
    BatchNorm(x, trace.statistics, Part(tensors, 0), Part(tensors, 1), trace.output);
  }
  void Backward(const LayerContext& at, const ConstRows& x, const float* tensors, const LayerTrace& trace,
                const ConstRows& dy, Rows* dx, float* gradient) const override {
    BatchNormBackward(x, trace.statistics, at.training, Part(tensors, 0), dy, dx, Part(gradient, 0), Part(gradient, 1));
  }
  void UpdateStatistics(const LayerTrace& trace, float* tensors) const override {
    layers::UpdateStatistics(trace.statistics, trace.output.rows(), Part(tensors, 2), Part(tensors, 3));
  }

 private:
  template <typename Number>
  std::span<Number> Part(Number* tensors, int index) const {
    return {tensors + Size(index, channels_), static_cast<size_t>(channels_)};
  }
  ColumnStatistics Stored(const float* tensors) const {
    const std::span<const float> mean = Part(tensors, 2), variance = Part(tensors, 3);
    return {{mean.begin(), mean.end()}, {variance.begin(), variance.end()}};
  }

  int channels_;
};

class ActivationLayer : public LayerKind {
 public:
  ActivationLayer(int channels, Activation activation) : channels_(channels), activation_(activation) {}
  int outputs() const override { return channels_; }
  void Forward(const LayerContext&, const ConstRows& x, const float*, LayerTrace& trace) const override {
    Activate(activation_, x, trace.output);
  }
  void Backward(const LayerContext&, const ConstRows& x, const float*, const LayerTrace&, const ConstRows& dy, Rows* dx,
                float*) const override {
    if (dx != nullptr) ActivateBackward(activation_, x, dy, *dx);
  }

 private:
  int channels_;
  Activation activation_;
};

class SoftmaxLayer : public LayerKind {
 public:
  explicit SoftmaxLayer(int channels) : channels_(channels) {}
  int outputs() const override { return channels_; }
  void Forward(const LayerContext&, const ConstRows& x, const float*, LayerTrace& trace) const override {
    RowSoftmax(x, trace.output);
  }
  void Backward(const LayerContext&, const ConstRows&, const float*, const LayerTrace& trace, const ConstRows& dy,
                Rows* dx, float*) const override {
    if (dx != nullptr) RowSoftmaxBackward(trace.output, dy, *dx);
  }

 private:
  int channels_;
};

// Passes its input on: several layers side by side, under one name.
class JoinLayer : public LayerKind {
 public:
  explicit JoinLayer(int channels) : channels_(channels) {}
  int outputs() const override { return channels_; }
  void Forward(const LayerContext&, const ConstRows& x, const float*, LayerTrace& trace) const override {
    trace.output = x;
  }
  void Backward(const LayerContext&, const ConstRows&, const float*, const LayerTrace&, const ConstRows& dy, Rows* dx,
                float*) const override {
    if (dx != nullptr) *dx += dy;
  }

 private:
  int channels_;
};

class ChannelMaxLayer : public LayerKind {
 public:
  ChannelMaxLayer(int channels, int pooled) : channels_(channels), pooled_(pooled) {}
  int outputs() const override { return channels_; }
  void Forward(const LayerContext&, const ConstRows& x, const float*, LayerTrace& trace) const override {
    trace.chosen = ChannelMax(x, pooled_, trace.output);
  }
  void Backward(const LayerContext&, const ConstRows&, const float*, const LayerTrace& trace, const ConstRows& dy,
                Rows* dx, float*) const override {
    if (dx != nullptr) ChannelMaxBackward(trace.chosen, dy, *dx);
  }

 private:
  int channels_, pooled_;
};

class GraphAttentionLayer : public LayerKind {
 public:
  GraphAttentionLayer(int inputs, int heads, int width, int self)
      : inputs_(inputs), heads_(heads), width_(width), self_(self) {}
  int outputs() const override { return heads_ * width_ + self_; }
  bool needs_graph() const override { return true; }
  std::vector<LayerTensor> Tensors() const override {
    std::vector<LayerTensor> tensors = {{"W", inputs_, heads_ * width_, InitialValues::kGlorot},
                                        {"target", heads_, width_, InitialValues::kGlorot},
                                        {"source", heads_, width_, InitialValues::kGlorot}};
    if (self_ > 0) tensors.push_back({"H", inputs_, self_, InitialValues::kGlorot});
    return tensors;
  }
  void Forward(const LayerContext& at, const ConstRows& x, const float* tensors, LayerTrace& trace) const override {
    GraphAttention(*at.domain.graph, x, Weights(tensors), trace.output, trace.attention);
  }
  void Backward(const LayerContext& at, const ConstRows& x, const float* tensors, const LayerTrace& trace,
                const ConstRows& dy, Rows* dx, float* gradient) const override {
    const auto [W, target, source, H] = Parts(gradient);
    GraphAttentionBackward(*at.domain.graph, x, Weights(tensors), trace.attention, dy, dx,
                           {Matrix(W, inputs_, heads_ * width_), Matrix(target, heads_, width_),
                            Matrix(source, heads_, width_), Matrix(H, inputs_, self_)});
  }

 private:
  template <typename Number>
  std::array<Number*, 4> Parts(Number* tensors) const {
    Number* target = tensors + Size(inputs_, heads_ * width_);
    return {tensors, target, target + Size(heads_, width_), target + 2 * Size(heads_, width_)};
  }
  AttentionWeights Weights(const float* tensors) const {
    const auto [W, target, source, H] = Parts(tensors);
    return {Matrix(W, inputs_, heads_ * width_), Matrix(target, heads_, width_), Matrix(source, heads_, width_),
            Matrix(H, inputs_, self_)};
  }

  int inputs_, heads_, width_, self_;
};

// Contraction of the edges that a single head attends to most (Eqs. 8 and 9). width: of the head; 0: it sees the
// channels as they are, without W.
class ContractLayer : public LayerKind {
 public:
  ContractLayer(int channels, int width) : channels_(channels), width_(width), scored_(width > 0 ? width : channels) {}
  int outputs() const override { return channels_; }
  bool needs_graph() const override { return true; }
  RowChange row_change() const override { return RowChange::kContract; }
  std::vector<LayerTensor> Tensors() const override {
    std::vector<LayerTensor> tensors;
    if (width_ > 0) tensors.push_back({"W", channels_, width_, InitialValues::kGlorot});
    for (const char* half : {"target", "source"}) tensors.push_back({half, 1, scored_, InitialValues::kGlorot});
    return tensors;
  }
  void Forward(const LayerContext& at, const ConstRows& x, const float* tensors, LayerTrace& trace) const override {
    trace.pooling = ContractByAttention(*at.domain.graph, x, Parts<AttentionWeights>(tensors));
    trace.output.resize(trace.pooling.contraction.coarse_count(), channels_);
    Pool(trace.pooling.contraction, x, trace.output);
  }
  void Backward(const LayerContext& at, const ConstRows& x, const float* tensors, const LayerTrace& trace,
                const ConstRows& dy, Rows* dx, float* gradient) const override {
    RowMatrix unused;
    if (dx == nullptr) unused.setZero(x.rows(), x.cols());
    Rows unused_rows(unused);
    Rows& passed = dx != nullptr ? *dx : unused_rows;
    PoolBackward(trace.pooling.contraction, x, dy, passed, at.dalpha);
    ContractByAttentionBackward(trace.pooling, x, Parts<AttentionWeights>(tensors), at.dalpha, &passed,
                                Parts<AttentionGradients>(gradient));
  }

 private:
  template <typename Made, typename Number>
  Made Parts(Number* tensors) const {
    Number* target = tensors + Size(channels_, width_);
    return {Matrix(tensors, channels_, width_), Matrix(target, 1, scored_), Matrix(target + scored_, 1, scored_),
            Matrix(target, channels_, 0)};
  }

  int channels_, width_, scored_;
};

// Undoes the contraction that its input is inside of (Eq. 10).
class ExpandLayer : public LayerKind {
 public:
  explicit ExpandLayer(int channels) : channels_(channels) {}
  int outputs() const override { return channels_; }
  RowChange row_change() const override { return RowChange::kExpand; }
  void Forward(const LayerContext& at, const ConstRows& x, const float*, LayerTrace& trace) const override {
    trace.output.resize(at.contraction->contraction.fine_count(), channels_);
    Unpool(at.contraction->contraction, x, trace.output);
  }
  void Backward(const LayerContext& at, const ConstRows& x, const float*, const LayerTrace&, const ConstRows& dy,
                Rows* dx, float*) const override {
    UnpoolBackward(at.contraction->contraction, x, dy, *dx, at.dalpha);
  }

 private:
  int channels_;
};

// Mean over the nodes that belong to one of the next coarser level.
class PoolLevelLayer : public LayerKind {
 public:
  explicit PoolLevelLayer(int channels) : channels_(channels) {}
  int outputs() const override { return channels_; }
  bool needs_graph() const override { return true; }
  RowChange row_change() const override { return RowChange::kCoarser; }
  void Forward(const LayerContext& at, const ConstRows& x, const float*, LayerTrace& trace) const override {
    trace.output.resize(at.step->graph.node_count(), channels_);
    PoolLevel(*at.step, x, trace.output);
  }
  void Backward(const LayerContext& at, const ConstRows&, const float*, const LayerTrace&, const ConstRows& dy,
                Rows* dx, float*) const override {
    if (dx != nullptr) PoolLevelBackward(*at.step, dy, *dx);
  }

 private:
  int channels_;
};

// Copies the rows of a level to the nodes of the next finer one.
class UnpoolLevelLayer : public LayerKind {
 public:
  explicit UnpoolLevelLayer(int channels) : channels_(channels) {}
  int outputs() const override { return channels_; }
  bool needs_graph() const override { return true; }
  RowChange row_change() const override { return RowChange::kFiner; }
  void Forward(const LayerContext& at, const ConstRows& x, const float*, LayerTrace& trace) const override {
    trace.output.resize(at.step->fine_count(), channels_);
    UnpoolLevel(*at.step, x, trace.output);
  }
  void Backward(const LayerContext& at, const ConstRows&, const float*, const LayerTrace&, const ConstRows& dy,
                Rows* dx, float*) const override {
    if (dx != nullptr) UnpoolLevelBackward(*at.step, dy, *dx);
  }

 private:
  int channels_;
};

// Passes on some of the channels.
class ColumnsLayer : public LayerKind {
 public:
  ColumnsLayer(int first, int count) : first_(first), count_(count) {}
  int outputs() const override { return count_; }
  void Forward(const LayerContext&, const ConstRows& x, const float*, LayerTrace& trace) const override {
    trace.output = x.middleCols(first_, count_);
  }
  void Backward(const LayerContext&, const ConstRows&, const float*, const LayerTrace&, const ConstRows& dy, Rows* dx,
                float*) const override {
    if (dx != nullptr) dx->middleCols(first_, count_) += dy;
  }

 private:
  int first_, count_;
};

// One kind: its name, the keys that it knows beside "kind", "name" and "from", and what makes it.
struct Kind {
  std::vector<std::string> keys;
  std::function<std::unique_ptr<LayerKind>(const JsonFields& fields, int inputs)> make;
};

template <typename Layer, typename... More>
std::unique_ptr<LayerKind> MakeWeighted(const JsonFields& fields, int features, More... more) {
  const auto outputs = static_cast<int>(fields.Integer("outputs", 1, kMaxChannels));
  const bool bias = !fields.Has("bias") || fields.OptionalBool("bias");
  CheckRate(fields);
  return std::make_unique<Layer>(features, outputs, bias, InitialScale(fields), more...);
}

std::unique_ptr<LayerKind> MakeMeshConv(const JsonFields& fields, int inputs) {
  const auto reach = static_cast<int>(fields.Has("reach") ? fields.Integer("reach", 0, kMaxReach) : 0);
  return MakeWeighted<MeshConvLayer>(fields, 5 * inputs, reach);
}

std::unique_ptr<LayerKind> MakeLeakyRelu(const JsonFields& fields, int inputs) {
  Activation activation{.kind = ActivationKind::kLeakyRelu};
  if (fields.Has("slope")) activation.slope = fields.Number("slope");
  return std::make_unique<ActivationLayer>(inputs, activation);
}

std::unique_ptr<LayerKind> MakeChannelMax(const JsonFields& fields, int inputs) {
  return std::make_unique<ChannelMaxLayer>(inputs, static_cast<int>(fields.Integer("channels", 1, inputs)));
}

std::unique_ptr<LayerKind> MakeAttention(const JsonFields& fields, int inputs) {
  const auto heads = static_cast<int>(fields.Integer("heads", 1, 256));
  const auto width = static_cast<int>(fields.Integer("width", 1, 4096));
  const auto self = static_cast<int>(fields.Integer("self", 0, kMaxChannels));
  return std::make_unique<GraphAttentionLayer>(inputs, heads, width, self);
}

std::unique_ptr<LayerKind> MakeContract(const JsonFields& fields, int inputs) {
  const auto width = static_cast<int>(fields.Has("width") ? fields.Integer("width", 0, 4096) : 0);
  return std::make_unique<ContractLayer>(inputs, width);
}

std::unique_ptr<LayerKind> MakeColumns(const JsonFields& fields, int inputs) {
  const auto first = static_cast<int>(fields.Integer("first", 0, inputs - 1));
  return std::make_unique<ColumnsLayer>(first, static_cast<int>(fields.Integer("count", 1, inputs - first)));
}

template <typename Layer>
std::unique_ptr<LayerKind> MakePlain(const JsonFields&, int inputs) {
  return std::make_unique<Layer>(inputs);
}

Kind ActivationKindOf(ActivationKind kind) {
  return {{}, [kind](const JsonFields&, int inputs) {
            return std::make_unique<ActivationLayer>(inputs, Activation{.kind = kind});
          }};
}

const std::map<std::string, Kind>& Kinds() {
  static const std::map<std::string, Kind> kinds = {
      {"linear", {{"outputs", "bias", "initial_scale", "rate"}, MakeWeighted<LinearLayer>}},
      {"mesh_conv", {{"outputs", "bias", "initial_scale", "rate", "reach"}, MakeMeshConv}},
      {"graph_attention", {{"heads", "width", "self"}, MakeAttention}},
      {"batch_norm", {{}, MakePlain<BatchNormLayer>}},
      {"tanh", ActivationKindOf(ActivationKind::kTanh)},
      {"tanhshrink", ActivationKindOf(ActivationKind::kTanhShrink)},
      {"elu", ActivationKindOf(ActivationKind::kElu)},
      {"relu", ActivationKindOf(ActivationKind::kRelu)},
      {"leaky_relu", {{"slope"}, MakeLeakyRelu}},
      {"softmax", {{}, MakePlain<SoftmaxLayer>}},
      {"channel_max", {{"channels"}, MakeChannelMax}},
      {"contract", {{"width"}, MakeContract}},
      {"expand", {{}, MakePlain<ExpandLayer>}},
      {"columns", {{"first", "count"}, MakeColumns}},
      {"skinning_pool", {{"joints", "measured"}, MakeSkinningPool}},
      {"skeleton_conv", {{"outputs", "parents", "distance", "initial_scale", "rate"}, MakeSkeletonConv}},
      {"chain_sum", {{"parents"}, MakeChainSum}},
      {"to_rows", {{"joints"}, MakeToRows}},
      {"pool_level", {{}, MakePlain<PoolLevelLayer>}},
      {"unpool_level", {{}, MakePlain<UnpoolLevelLayer>}},
      {"vote_pool", {{"points", "spread_scale"}, MakeVotePool}},
      {"join", {{}, MakePlain<JoinLayer>}},
  };
  return kinds;
}

}  // namespace

float InitialScale(const JsonFields& fields) {
  if (!fields.Has("initial_scale")) return 1;
  const float scale = fields.Number("initial_scale");
  if (!(scale > 0)) fields.Fail("\"initial_scale\" is not positive");
  return scale;
}

void CheckRate(const JsonFields& fields) {
  if (fields.Has("rate") && !(fields.Number("rate") > 0)) fields.Fail("\"rate\" is not positive");
}

std::unique_ptr<LayerKind> MakeLayer(const Json& json, int inputs, const std::string& file, const std::string& place) {
  const JsonFields fields(json, file, place, kDescriptionRemedy);
  const std::string kind = fields.String("kind");
  const auto found = Kinds().find(kind);
  if (found == Kinds().end()) {
    std::vector<std::string> known;
    for (const auto& [name, unused] : Kinds()) known.push_back(name);
    fields.Fail(fmt::format("there is no kind of layer '{}'; the nearest is '{}'", kind, Nearest(kind, known)));
  }
  std::vector<std::string> keys = {"kind", "name", "from"};
  keys.insert(keys.end(), found->second.keys.begin(), found->second.keys.end());
  for (const auto& [key, unused] : json.items()) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      fields.Fail(fmt::format("\"{}\" is not known; a layer '{}' has {}", key, kind, fmt::join(keys, ", ")));
    }
  }
  return found->second.make(fields, inputs);
}

}  // namespace sinew::layers
