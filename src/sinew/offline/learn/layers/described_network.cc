#include "sinew/offline/learn/layers/described_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/error.h"

namespace sinew::layers {
namespace {

// Upper limits: a description with more is not one of ours, and its tensors would not fit into memory.
constexpr size_t kMaxLayers = 1000, kMaxParameters = size_t{1} << 28, kLongestName = 64;
constexpr const char* kInput = "input";

std::string PlaceOf(size_t index) { return fmt::format("layer {}", index); }

// Puts the sources' outputs side by side.
RowMatrix Joined(const std::vector<const RowMatrix*>& parts, Eigen::Index rows) {
  Eigen::Index columns = 0;
  for (const RowMatrix* part : parts) columns += part->cols();
  RowMatrix joined(rows, columns);
  ForTiles(rows, [&](int begin, int count) {
    Eigen::Index column = 0;
    for (const RowMatrix* part : parts) {
      joined.block(begin, column, count, part->cols()) = part->middleRows(begin, count);
      column += part->cols();
    }
  });
  return joined;
}

void Draw(const LayerTensor& tensor, Random& random, std::span<float> values) {
  const double bound = std::sqrt(6.0 / (tensor.rows + tensor.columns)) * tensor.scale;
  for (float& value : values) {
    value = tensor.initial == InitialValues::kGlorot ? static_cast<float>(random.Uniform(-bound, bound))
            : tensor.initial == InitialValues::kOne  ? 1.0f
                                                     : 0.0f;
  }
}

}  // namespace

DescribedNetwork::DescribedNetwork(const Json& description, const std::string& file) : description_(description) {
  const JsonFields fields(description, file, "network", kDescriptionRemedy);
  for (const auto& [key, unused] : description.items()) {
    if (key != "inputs" && key != "layers") {
      fields.Fail(fmt::format("\"{}\" is not known; a network has inputs and layers", key));
    }
  }
  inputs_ = static_cast<int>(fields.Integer("inputs", 1, kMaxChannels));
  const Json& layers = fields.List("layers");
  if (layers.empty() || layers.size() > kMaxLayers) fields.Fail(fmt::format("has no 1 to {} layers", kMaxLayers));
  for (const Json& layer : layers) AddLayer(layer, file);
  if (IsContraction(layers_.back().place)) fields.Fail("ends inside of a contraction");
  if (layers_.back().level > 0) fields.Fail("ends on a coarser level");
}

void DescribedNetwork::AddLayer(const Json& json, const std::string& file) {
  const size_t index = layers_.size();
  const JsonFields fields(json, file, PlaceOf(index), kDescriptionRemedy);
  Layer layer{.name = fields.Has("name") ? fields.String("name") : fmt::format("{}", index),
              .from = Sources(json, file, PlaceOf(index)),
              .kind = nullptr,
              .offset = parameter_count_,
              .last_user = static_cast<int>(index),
              .inside = -1,
              .place = -1,
              .from_level = 0,
              .level = 0};
  const auto same = [&](const Layer& other) { return other.name == layer.name; };
  if (layer.name.empty() || layer.name.size() > kLongestName || layer.name == kInput) fields.Fail("has no valid name");
  if (std::any_of(layers_.begin(), layers_.end(), same)) fields.Fail(fmt::format("is another '{}'", layer.name));
  int inputs = 0;
  for (const int from : layer.from) {
    inputs += WidthOf(from);
    if (inputs > kMaxChannels) fields.Fail(fmt::format("reads more than {} channels", kMaxChannels));
    if (from >= 0) layers_[from].last_user = static_cast<int>(index);
  }
  layer.kind = MakeLayer(json, inputs, file, PlaceOf(index));
  PlaceLayer(static_cast<int>(index), layer, fields);
  if (layer.inside >= 0) layers_[layer.inside].last_user = static_cast<int>(index);
  if (layer.kind->outputs() > kMaxChannels) fields.Fail(fmt::format("has more than {} channels", kMaxChannels));
  for (const LayerTensor& tensor : layer.kind->Tensors()) {
    tensors_.push_back(
        {fmt::format("{}.{}", layer.name, tensor.name), tensor.rows, tensor.columns, parameter_count_, tensor.trained});
    parameter_count_ += tensors_.back().size();
  }
  if (parameter_count_ > kMaxParameters) fields.Fail("makes the network larger than 2^28 parameters");
  layers_.push_back(std::move(layer));
}

void DescribedNetwork::PlaceLayer(int index, Layer& layer, const JsonFields& fields) const {
  const auto place_of = [&](int from) { return from < 0 ? -1 : layers_[from].place; };
  const auto level_of = [&](int from) { return from < 0 ? 0 : layers_[from].level; };
  layer.inside = layer.place = place_of(layer.from[0]);
  layer.from_level = layer.level = level_of(layer.from[0]);
  for (const int from : layer.from) {
    const bool same = place_of(from) == layer.inside && level_of(from) == layer.from_level;
    if (!same) fields.Fail("reads layers whose rows are not the same");
  }
  const bool contracted = IsContraction(layer.inside), pooled = layer.inside >= 0 && !contracted;
  if (layer.kind->needs_rings() && (layer.inside >= 0 || layer.level > 0))
    fields.Fail("works on edges of the mesh, which its rows are not");
  if (layer.kind->needs_graph() && pooled) fields.Fail("works on a graph, which joints do not have");
  const int joints = layer.kind->joints();
  if (joints > 0 && (!pooled || layers_[layer.inside].kind->pools_to() != joints)) {
    fields.Fail(fmt::format("works on {} joints, which its rows are not", joints));
  }
  switch (layer.kind->row_change()) {
    case RowChange::kNone:
      return;
    case RowChange::kContract:
    case RowChange::kPool:
      if (layer.inside >= 0) fields.Fail("merges rows that are merged already");
      layer.place = index;
      return;
    case RowChange::kCoarser:
      if (layer.inside >= 0) fields.Fail("goes to a coarser level inside of a contraction");
      ++layer.level;
      return;
    case RowChange::kFiner:
      if (layer.inside >= 0 || layer.level == 0) fields.Fail("has no finer level to go back to");
      --layer.level;
      return;
    case RowChange::kUnpool:
      layer.place = -1;
      return;
    case RowChange::kExpand:
      if (!contracted) fields.Fail("has no contraction to undo");
      layer.place = -1;
      return;
  }
}

std::vector<int> DescribedNetwork::Sources(const Json& json, const std::string& file, const std::string& place) const {
  const int last = static_cast<int>(layers_.size()) - 1;
  if (!json.contains("from")) return {last};
  const JsonFields fields(json, file, place, kDescriptionRemedy);
  std::vector<int> sources;
  for (const Json& value : fields.List("from")) {
    const std::string name = value.is_string() ? value.get<std::string>() : "";
    const auto found =
        std::find_if(layers_.begin(), layers_.end(), [&](const Layer& layer) { return layer.name == name; });
    if (found == layers_.end() && name != kInput) {
      fields.Fail(fmt::format("reads '{}', which is neither \"input\" nor a layer before it", name));
    }
    sources.push_back(name == kInput ? -1 : static_cast<int>(found - layers_.begin()));
    if (sources.size() > kMaxLayers) fields.Fail("reads too many layers");
  }
  if (sources.empty()) fields.Fail("reads nothing");
  return sources;
}

std::vector<uint8_t> DescribedNetwork::TrainedMask() const {
  std::vector<uint8_t> mask(parameter_count_, 1);
  for (const TensorPlace& tensor : tensors_) {
    if (!tensor.trained) std::fill_n(mask.begin() + static_cast<std::ptrdiff_t>(tensor.offset), tensor.size(), 0);
  }
  return mask;
}

bool DescribedNetwork::needs_graph() const {
  return std::any_of(layers_.begin(), layers_.end(), [](const Layer& layer) { return layer.kind->needs_graph(); });
}

bool DescribedNetwork::needs_rings() const {
  return std::any_of(layers_.begin(), layers_.end(), [](const Layer& layer) { return layer.kind->needs_rings(); });
}

int DescribedNetwork::reach() const {
  int reach = 0;
  for (const Layer& layer : layers_) reach = std::max(reach, layer.kind->reach());
  return reach;
}

int DescribedNetwork::coarser_levels() const {
  int levels = 0;
  for (const Layer& layer : layers_) levels = std::max(levels, layer.level);
  return levels;
}

std::vector<float> DescribedNetwork::InitialParameters(Random& random) const {
  std::vector<float> parameters(parameter_count_, 0.0f);
  for (const Layer& layer : layers_) {
    size_t at = layer.offset;
    for (const LayerTensor& tensor : layer.kind->Tensors()) {
      const size_t size = static_cast<size_t>(tensor.rows) * static_cast<size_t>(tensor.columns);
      Draw(tensor, random, std::span(parameters).subspan(at, size));
      at += size;
    }
  }
  return parameters;
}

void DescribedNetwork::Check(std::span<const float> parameters, const ConstRows& x, const Domain& domain) const {
  if (parameters.size() != parameter_count_) {
    throw UsageError(
        fmt::format("a network of {} parameters was given {} of them", parameter_count_, parameters.size()));
  }
  if (x.cols() != inputs_ || x.rows() < 1) {
    throw UsageError(
        fmt::format("a network of {} inputs was given {} rows of {} numbers", inputs_, x.rows(), x.cols()));
  }
  const bool graph = !needs_graph() || (domain.graph != nullptr && domain.graph->node_count() == x.rows());
  const bool rings = !needs_rings() || (domain.rings != nullptr && domain.rings->edge_count() == x.rows());
  if (!graph) throw UsageError(fmt::format("a network was given {} rows and no graph of as many nodes", x.rows()));
  if (!rings) throw UsageError(fmt::format("a network was given {} rows and no mesh of as many edges", x.rows()));
  const auto fits = [&](const EdgeRings& wide) { return wide.edge_count() == x.rows(); };
  if (static_cast<int>(domain.wide.size()) < reach() || !std::all_of(domain.wide.begin(), domain.wide.end(), fits)) {
    throw UsageError(
        fmt::format("a network that reaches {} rings far was given {} of them", reach(), domain.wide.size()));
  }
  const auto levels = static_cast<size_t>(coarser_levels());
  if (domain.coarser.size() < levels) {
    throw UsageError(fmt::format("a network of {} coarser levels was given {}", levels, domain.coarser.size()));
  }
  Eigen::Index rows = x.rows();
  for (const CoarserGraph& coarser : domain.coarser.first(levels)) {
    if (coarser.fine_count() != rows) throw UsageError("a coarser level is not of the graph that it was given with");
    rows = coarser.graph.node_count();
  }
}

const RowMatrix& DescribedNetwork::InputOf(int index, const NetworkTrace& trace) const {
  const std::vector<int>& from = layers_[index].from;
  if (from.size() > 1) return trace.layers[index].input;
  return from[0] < 0 ? trace.input : trace.layers[from[0]].output;
}

LayerContext DescribedNetwork::ContextOf(int index, const Domain& domain, const NetworkTrace& trace) const {
  const int inside = layers_[index].inside, level = layers_[index].from_level;
  LayerContext context{.domain = domain, .training = trace.training};
  if (level > 0) context.domain = {.graph = &domain.coarser[level - 1].graph};
  const RowChange change = layers_[index].kind->row_change();
  if (change == RowChange::kCoarser) context.step = &domain.coarser[level];
  if (change == RowChange::kFiner) context.step = &domain.coarser[level - 1];
  context.rows = level > 0 ? domain.coarser[level - 1].graph.node_count() : trace.input.rows();
  if (inside < 0) return context;
  context.domain = {};
  if (!IsContraction(inside)) return context;
  context.contraction = &trace.layers[inside].pooling;
  context.domain.graph = &context.contraction->coarse;
  return context;
}

void DescribedNetwork::RunLayer(int index, std::span<const float> parameters, const Domain& domain,
                                NetworkTrace& trace) const {
  const Layer& layer = layers_[index];
  LayerTrace& own = trace.layers[index];
  if (layer.from.size() > 1) {
    std::vector<const RowMatrix*> parts;
    for (const int from : layer.from) parts.push_back(from < 0 ? &trace.input : &trace.layers[from].output);
    own.input = Joined(parts, parts[0]->rows());
  }
  const RowMatrix& input = InputOf(index, trace);
  own.output.resize(input.rows(), layer.kind->outputs());
  layer.kind->Forward(ContextOf(index, domain, trace), input, parameters.data() + layer.offset, own);
}

RowMatrix DescribedNetwork::Evaluate(std::span<const float> parameters, const ConstRows& x,
                                     const Domain& domain) const {
  Check(parameters, x, domain);
  NetworkTrace trace{.training = false, .input = x, .layers = std::vector<LayerTrace>(layers_.size())};
  for (int index = 0; index < static_cast<int>(layers_.size()); ++index) {
    RunLayer(index, parameters, domain, trace);
    trace.layers[index].input.resize(0, 0);
    trace.layers[index].attention = {};
    // What nobody reads any more: a large mesh would not fit otherwise.
    for (int before = 0; before < index; ++before) {
      if (layers_[before].last_user == index) trace.layers[before] = {};
    }
  }
  return std::move(trace.layers.back().output);
}

NetworkTrace DescribedNetwork::Forward(std::span<const float> parameters, const ConstRows& x, const Domain& domain,
                                       bool training) const {
  Check(parameters, x, domain);
  NetworkTrace trace{.training = training, .input = x, .layers = std::vector<LayerTrace>(layers_.size())};
  for (int index = 0; index < static_cast<int>(layers_.size()); ++index) RunLayer(index, parameters, domain, trace);
  return trace;
}

void DescribedNetwork::Backward(std::span<const float> parameters, const NetworkTrace& trace, const Domain& domain,
                                const ConstRows& dy, std::span<float> gradient, RowMatrix* dx) const {
  Check(parameters, trace.input, domain);
  // Gradients of each contraction's alpha, to which the layers that undo it add before it runs itself.
  std::vector<std::vector<float>> dalpha(layers_.size());
  for (int index = 0; index < static_cast<int>(layers_.size()); ++index) {
    if (IsContraction(index)) dalpha[index].assign(trace.layers[index].pooling.contraction.coarse_count(), 0.0f);
  }
  std::vector<RowMatrix> gradients(layers_.size());  // of the outputs; empty: nobody has added to it yet
  gradients.back() = dy;
  if (dx != nullptr) dx->setZero(trace.input.rows(), inputs_);
  for (int index = static_cast<int>(layers_.size()) - 1; index >= 0; --index) {
    const Layer& layer = layers_[index];
    const RowMatrix own = std::move(gradients[index]);
    if (own.size() == 0) continue;  // a layer that the output does not depend on
    const bool only_input = std::all_of(layer.from.begin(), layer.from.end(), [](int from) { return from < 0; });
    const RowMatrix& input = InputOf(index, trace);
    RowMatrix dinput;
    std::optional<Rows> passed;
    if (!only_input || dx != nullptr) {
      dinput.setZero(input.rows(), input.cols());
      passed.emplace(dinput);
    }
    LayerContext context = ContextOf(index, domain, trace);
    if (IsContraction(index)) context.dalpha = dalpha[index];
    if (IsContraction(layer.inside)) context.dalpha = dalpha[layer.inside];
    layer.kind->Backward(context, input, parameters.data() + layer.offset, trace.layers[index], own,
                         passed ? &*passed : nullptr, gradient.data() + layer.offset);
    if (!passed) continue;
    Eigen::Index column = 0;
    for (const int from : layer.from) {
      RowMatrix* target = from < 0 ? dx : &gradients[from];
      const int width = WidthOf(from);
      if (target != nullptr && target->size() == 0) target->setZero(input.rows(), width);
      if (target != nullptr) *target += dinput.middleCols(column, width);
      column += width;
    }
  }
}

void DescribedNetwork::UpdateStatistics(const NetworkTrace& trace, std::span<float> parameters) const {
  for (size_t index = 0; index < layers_.size(); ++index) {
    layers_[index].kind->UpdateStatistics(trace.layers[index], parameters.data() + layers_[index].offset);
  }
}

std::vector<learn::Tensor> DescribedNetwork::ToTensors(std::span<const float> parameters,
                                                       learn::TensorPrecision precision) const {
  std::vector<learn::Tensor> result;
  for (const TensorPlace& place : tensors_) {
    const std::span<const float> values = parameters.subspan(place.offset, place.size());
    result.push_back({.name = place.name,
                      .shape = {place.rows, place.columns},
                      .values = {values.begin(), values.end()},
                      .precision = precision});
  }
  return result;
}

std::vector<float> DescribedNetwork::ParametersOf(const learn::Model& model, const std::string& file) const {
  // Checked before memory is allocated: a description may ask for more than the file holds.
  for (const TensorPlace& place : tensors_) {
    const learn::Tensor* tensor = model.Find(place.name);
    if (tensor == nullptr || tensor->shape != std::vector<int>{place.rows, place.columns}) {
      throw InputError(file, fmt::format("tensor '{}'", place.name),
                       fmt::format("is {}; the architecture wants {} by {}",
                                   tensor == nullptr ? "missing" : "of another shape", place.rows, place.columns),
                       "write the model again with 'sinew learn train', or get it again");
    }
  }
  std::vector<float> parameters(parameter_count_);
  for (const TensorPlace& place : tensors_) {
    const std::vector<float>& values = model.Find(place.name)->values;
    std::copy(values.begin(), values.end(), parameters.begin() + static_cast<std::ptrdiff_t>(place.offset));
  }
  return parameters;
}

}  // namespace sinew::layers
