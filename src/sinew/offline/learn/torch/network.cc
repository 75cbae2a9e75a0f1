#include "network.h"

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace sinew_torch {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

constexpr int64_t kRowsPerThread = 256;

// Sums of the rows that map to each row. libtorch's own sums add one row at a time on the CPU, and in any order on
// CUDA.
Tensor AddRows(const Tensor& from, const Tensor& index, const Tensor& starts, const Tensor& order) {
  const int64_t targets = starts.size(0) - 1;
  const Tensor rows = from.contiguous().view({from.size(0), -1});
  Tensor sums = torch::zeros({targets, rows.size(1)}, rows.options());
  if (!rows.device().is_cpu()) {
    return sums.index_add_(0, index, rows);
  }
  const int64_t width = rows.size(1);
  const float* const source = rows.data_ptr<float>();
  const int64_t *const start = starts.data_ptr<int64_t>(), *const row = order.data_ptr<int64_t>();
  float* const target = sums.data_ptr<float>();
  at::parallel_for(0, targets, kRowsPerThread, [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) {
      for (int64_t k = start[t]; k < start[t + 1]; ++k) {
        for (int64_t c = 0; c < width; ++c) target[t * width + c] += source[row[k] * width + c];
      }
    }
  });
  return sums;
}

struct TakeFunction : torch::autograd::Function<TakeFunction> {
  static Tensor forward(AutogradContext* context, const Tensor& from, const Tensor& index, const Tensor& starts,
                        const Tensor& order) {
    context->save_for_backward({index, starts, order});
    return from.index_select(0, index);
  }
  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    return {AddRows(gradients[0], saved[0], saved[1], saved[2]), Tensor(), Tensor(), Tensor()};
  }
};

struct SumFunction : torch::autograd::Function<SumFunction> {
  static Tensor forward(AutogradContext* context, const Tensor& from, const Tensor& index, const Tensor& starts,
                        const Tensor& order) {
    context->save_for_backward({index});
    return AddRows(from, index, starts, order);
  }
  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    return {gradients[0].index_select(0, context->get_saved_variables()[0]), Tensor(), Tensor(), Tensor()};
  }
};

// Rows of a matrix, one per row of the map.
Tensor Take(const Tensor& from, const RowMap& map) {
  return TakeFunction::apply(from, map.index, map.starts, map.order);
}

// Sums of the rows that map to each row.
Tensor Sum(const Tensor& from, const RowMap& map) { return SumFunction::apply(from, map.index, map.starts, map.order); }

// Largest entry per column of the rows that map to each row, 0 where there are none; no gradient.
Tensor Largest(const Tensor& from, const RowMap& map) {
  const torch::NoGradGuard constant;
  const int64_t targets = map.starts.size(0) - 1, width = from.size(1);
  Tensor largest = torch::zeros({targets, width}, from.options());
  if (!from.device().is_cpu()) {
    const Tensor index = map.index.unsqueeze(1).expand({from.size(0), width});
    return largest.scatter_reduce(0, index, from.detach(), "amax", false);
  }
  // libtorch 1.13 warns that its function may change.
  const Tensor rows = from.detach().contiguous();
  const float* const source = rows.data_ptr<float>();
  const int64_t *const start = map.starts.data_ptr<int64_t>(), *const row = map.order.data_ptr<int64_t>();
  float* const target = largest.data_ptr<float>();
  at::parallel_for(0, targets, kRowsPerThread, [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) {
      for (int64_t k = start[t]; k < start[t + 1]; ++k) {
        for (int64_t c = 0; c < width; ++c) {
          const float value = source[row[k] * width + c];
          float& kept = target[t * width + c];
          kept = k == start[t] ? value : std::max(kept, value);
        }
      }
    }
  });
  return largest;
}

// exp(score - largest score of the row): what softmax divides by its sum.
Tensor Exponentials(const Tensor& scores, const RowMap& rows) {
  return torch::exp(scores - Largest(scores, rows).index_select(0, rows.index));
}

Tensor Activate(const Tensor& x, const SinewTorchLayer& layer) {
  switch (layer.activation) {
    case SINEW_TORCH_TANH:
      return torch::tanh(x);
    case SINEW_TORCH_TANHSHRINK:
      return x - torch::tanh(x);
    case SINEW_TORCH_ELU:
      return torch::elu(x);
    case SINEW_TORCH_LEAKY_RELU:
      return torch::leaky_relu(x, layer.slope);
    default:
      return torch::relu(x);
  }
}

// Eqs. 5 and 6, with W v_j in the sum (the paper prints W v_i).
Tensor Attend(const Tensor& x, const Tensor& W, const Tensor& target, const Tensor& source, double slope,
              const Graph& graph) {
  const int64_t heads = target.size(0), width = target.size(1);
  const Tensor h = x.matmul(W);
  const Tensor by_head = h.view({-1, heads, width});
  const Tensor own = (by_head * target).sum(2), other = (by_head * source).sum(2);
  const Tensor scores = torch::leaky_relu(Take(own, graph.rows) + Take(other, graph.columns), slope);
  const Tensor p = Exponentials(scores, graph.rows);
  const Tensor weighted = Take(h, graph.columns).view({-1, heads, width}) * p.unsqueeze(2);
  const Tensor sums = Sum(weighted.view({-1, heads * width}), graph.rows).view({-1, heads, width});
  return (sums / Sum(p, graph.rows).unsqueeze(2)).view({-1, heads * width});
}

Tensor Upload(const std::vector<int64_t>& values, torch::Device device) {
  // libtorch does not write to it: the copy is its own.
  return torch::from_blob(const_cast<int64_t*>(values.data()), {static_cast<int64_t>(values.size())}, torch::kLong)
      .clone()
      .to(device);
}

[[noreturn]] void Refuse(int layer, const std::string& what) {
  throw std::runtime_error("layer " + std::to_string(layer) + " of the network " + what);
}

}  // namespace

RowMap MakeRowMap(const std::vector<int64_t>& index, int64_t targets, torch::Device device) {
  std::vector<int64_t> starts(targets + 1, 0), order(index.size());
  for (const int64_t target : index) ++starts[target + 1];
  for (int64_t t = 0; t < targets; ++t) starts[t + 1] += starts[t];
  std::vector<int64_t> next(starts.begin(), starts.end() - 1);
  for (size_t row = 0; row < index.size(); ++row) order[next[index[row]]++] = static_cast<int64_t>(row);
  return {Upload(index, device), Upload(starts, torch::kCPU), Upload(order, torch::kCPU)};
}

std::shared_ptr<const Graph> MakeGraph(Adjacency adjacency, torch::Device device) {
  auto graph = std::make_shared<Graph>();
  const int64_t vertices = adjacency.vertices();
  const EdgeList edges = EdgesOf(adjacency, true);
  graph->rows = MakeRowMap(edges.rows, vertices, device);
  graph->columns = MakeRowMap(edges.columns, vertices, device);
  graph->bare_edges = EdgesOf(adjacency, false);
  graph->bare_rows = MakeRowMap(graph->bare_edges.rows, vertices, device);
  graph->bare_columns = MakeRowMap(graph->bare_edges.columns, vertices, device);
  graph->adjacency = std::move(adjacency);
  return graph;
}

Batch::Batch(std::vector<const Mesh*> meshes, torch::Device device) : meshes_(std::move(meshes)), device_(device) {}

std::shared_ptr<const Graph> Batch::Level(int level) {
  for (const Mesh* mesh : meshes_) {
    if (level >= static_cast<int>(mesh->levels.size())) {
      throw std::runtime_error("the network pools to level " + std::to_string(level) + ", which a mesh does not have");
    }
  }
  if (static_cast<int>(graphs_.size()) <= level) graphs_.resize(level + 1);
  if (graphs_[level] == nullptr) {
    Adjacency joined;
    for (const Mesh* mesh : meshes_) Append(mesh->levels[level].adjacency, &joined);
    graphs_[level] = MakeGraph(std::move(joined), device_);
  }
  return graphs_[level];
}

const RowMap& Batch::Coarser(int level) {
  const int64_t targets = Level(level + 1)->adjacency.vertices();
  if (static_cast<int>(maps_.size()) <= level) maps_.resize(level + 1);
  if (maps_[level] == nullptr) {
    std::vector<int64_t> joined;
    int64_t first = 0;
    for (const Mesh* mesh : meshes_) {
      for (const int64_t c : mesh->levels[level].coarser) joined.push_back(first + c);
      first += mesh->levels[level + 1].adjacency.vertices();
    }
    maps_[level] = std::make_unique<RowMap>(MakeRowMap(joined, targets, device_));
  }
  return *maps_[level];
}

// What is known while layers run in a row.
struct Network::Pass {
  struct Value {
    Tensor rows;
    std::shared_ptr<const Graph> graph;
    int level;  // of the meshes; meaningless inside of a contraction
  };
  struct Contracted {
    RowMap map;
    Tensor alpha;
    Value before;
  };

  const Network& network;
  const std::vector<Tensor>& tensors;
  Batch& batch;
  double momentum;
  std::vector<Statistics>* statistics;
  std::vector<Value> values = {};
  std::vector<Contracted> contractions = {};  // per layer

  const Tensor& At(const Layer& layer, int tensor) const { return tensors[layer.first + tensor]; }

  Tensor Standardise(const Layer& layer, const Tensor& x) {
    Tensor mean = At(layer, 2), variance = At(layer, 3);
    if (statistics != nullptr) {
      mean = x.mean(0);
      variance = (x - mean).square().mean(0);
      const torch::NoGradGuard constant;
      const auto count = static_cast<double>(x.size(0));
      const double unbiased = count > 1 ? count / (count - 1) : 1;
      statistics->push_back({layer.first + 2, At(layer, 2) * (1 - momentum) + mean.detach() * momentum});
      statistics->push_back(
          {layer.first + 3, At(layer, 3) * (1 - momentum) + variance.detach() * (momentum * unbiased)});
    }
    return (x - mean) * torch::rsqrt(variance + layer.given.epsilon) * At(layer, 0) + At(layer, 1);
  }

  Value Pool(const Value& from) {
    const RowMap& map = batch.Coarser(from.level);
    const Tensor counts = (map.starts.slice(0, 1) - map.starts.slice(0, 0, -1)).to(from.rows.options());
    return {Sum(from.rows, map) / counts.unsqueeze(1), batch.Level(from.level + 1), from.level + 1};
  }
  Value Unpool(const Value& from) {
    return {Take(from.rows, batch.Coarser(from.level - 1)), batch.Level(from.level - 1), from.level - 1};
  }

  // Eqs. 8 and 9.
  Value Merge(int number, const Layer& layer, const Value& from) {
    const Graph& graph = *from.graph;
    const Tensor h = from.rows.matmul(At(layer, 0));
    const Tensor own = h.matmul(At(layer, 1).t()), other = h.matmul(At(layer, 2).t());
    const Tensor raw =
        torch::leaky_relu(Take(own, graph.bare_rows) + Take(other, graph.bare_columns), layer.given.slope);
    const Tensor p = Exponentials(raw, graph.bare_rows);
    const Tensor scores = (p / Take(Sum(p, graph.bare_rows), graph.bare_rows)).squeeze(1);
    const Tensor known = scores.detach().to(torch::kCPU).contiguous();
    const float* const first = known.data_ptr<float>();
    Contraction made = Contract(graph.adjacency, graph.bare_edges, {first, first + known.numel()});

    // Alpha of a merged vertex is behind the number of its edge; a vertex that is left over takes the one behind all
    // edges.
    for (int64_t& edge : made.edge) edge = edge < 0 ? known.numel() : edge;
    const torch::Device device = from.rows.device();
    const Tensor all = torch::cat({scores.clamp_min(layer.given.least_alpha), torch::ones({1}, scores.options())});
    const Tensor alpha = all.index_select(0, Upload(made.edge, device)).unsqueeze(1);
    Contracted& kept = contractions[number];
    kept = {MakeRowMap(made.coarse, static_cast<int64_t>(made.edge.size()), device), alpha, from};
    return {Sum(from.rows, kept.map) * alpha, MakeGraph(std::move(made.adjacency), device), from.level};
  }

  // Eq. 10.
  Value Expand(const Layer& layer, const Value& from) const {
    const Contracted& kept = contractions[layer.given.partner];
    return {Take(from.rows / kept.alpha, kept.map), kept.before.graph, kept.before.level};
  }

  Value Run(int number, const Layer& layer) {
    const Value& from = values[layer.inputs[0]];
    const auto same = [&from](Tensor rows) { return Value{std::move(rows), from.graph, from.level}; };
    switch (layer.given.kind) {
      case SINEW_TORCH_LINEAR: {
        const Tensor product = from.rows.matmul(At(layer, 0));
        return same(layer.given.bias ? product + At(layer, 1) : product);
      }
      case SINEW_TORCH_BATCH_NORM:
        return same(Standardise(layer, from.rows));
      case SINEW_TORCH_ACTIVATION:
        return same(Activate(from.rows, layer.given));
      case SINEW_TORCH_CONCATENATE: {
        std::vector<Tensor> parts;
        for (const int input : layer.inputs) parts.push_back(values[input].rows);
        return same(torch::cat(parts, 1));
      }
      case SINEW_TORCH_ATTENTION: {
        const Tensor heads =
            Attend(from.rows, At(layer, 0), At(layer, 1), At(layer, 2), layer.given.slope, *from.graph);
        return same(layer.given.self_width > 0 ? torch::cat({heads, from.rows.matmul(At(layer, 3))}, 1) : heads);
      }
      case SINEW_TORCH_POOL:
        return Pool(from);
      case SINEW_TORCH_UNPOOL:
        return Unpool(from);
      case SINEW_TORCH_CONTRACT:
        return Merge(number, layer, from);
      default:
        return Expand(layer, from);
    }
  }
};

namespace {

// Where rows of a value belong: a level of the mesh, or inside of a contraction. Values are only joined within a place.
struct Place {
  int level = 0;
  int contraction = -1;  // number of a layer
  bool operator==(const Place& other) const { return level == other.level && contraction == other.contraction; }
};

Place PlaceOfOutput(const SinewTorchLayer& layer, int number, const std::vector<Place>& places) {
  Place place = places[layer.inputs[0]];
  switch (layer.kind) {
    case SINEW_TORCH_CONCATENATE:
      for (int k = 0; k < layer.input_count; ++k) {
        if (!(places[layer.inputs[k]] == place)) Refuse(number, "joins values of different levels");
      }
      return place;
    case SINEW_TORCH_POOL:
    case SINEW_TORCH_UNPOOL:
      if (place.contraction >= 0) Refuse(number, "pools along a map inside of a contraction");
      place.level += layer.kind == SINEW_TORCH_POOL ? 1 : -1;
      if (place.level < 0) Refuse(number, "goes to a level finer than the mesh");
      return place;
    case SINEW_TORCH_CONTRACT:
      if (place.contraction >= 0) Refuse(number, "contracts inside of a contraction");
      return {place.level, number};
    case SINEW_TORCH_EXPAND:
      if (place.contraction < 0 || place.contraction != layer.partner) Refuse(number, "undoes another contraction");
      return {place.level, -1};
    default:
      return place;
  }
}

void CheckPlaces(const SinewTorchLayer* layers, int count) {
  std::vector<Place> places = {Place{}};
  for (int k = 0; k < count; ++k) places.push_back(PlaceOfOutput(layers[k], k, places));
  if (!(places.back() == Place{})) Refuse(count - 1, "is the output, and is not on the mesh itself");
}

}  // namespace

Layer Network::Check(const SinewTorchLayer& given, int number) const {
  if (given.kind < SINEW_TORCH_LINEAR || given.kind > SINEW_TORCH_EXPAND) {
    Refuse(number, "is of the unknown kind " + std::to_string(given.kind));
  }
  const bool joins = given.kind == SINEW_TORCH_CONCATENATE;
  if (given.inputs == nullptr || given.input_count < 1 || (!joins && given.input_count != 1)) {
    Refuse(number, "has " + std::to_string(given.input_count) + " inputs");
  }
  for (int k = 0; k < given.input_count; ++k) {
    if (given.inputs[k] < 0 || given.inputs[k] > number) Refuse(number, "uses a value that is not there yet");
  }
  const bool sized =
      given.kind == SINEW_TORCH_LINEAR || given.kind == SINEW_TORCH_ATTENTION || given.kind == SINEW_TORCH_CONTRACT;
  constexpr int kMaxWidth = 1 << 16;
  if (sized && (given.width < 1 || given.width > kMaxWidth))
    Refuse(number, "is " + std::to_string(given.width) + " wide");
  const bool attends = given.kind == SINEW_TORCH_ATTENTION;
  if (attends && (given.heads < 1 || given.heads > kMaxWidth / given.width)) {
    Refuse(number, "has " + std::to_string(given.heads) + " heads");
  }
  if (attends && (given.self_width < 0 || given.self_width > kMaxWidth)) {
    Refuse(number, "has a self stream of " + std::to_string(given.self_width) + " columns");
  }
  if (given.kind == SINEW_TORCH_ACTIVATION &&
      (given.activation < SINEW_TORCH_TANH || given.activation > SINEW_TORCH_RELU)) {
    Refuse(number, "has the unknown activation " + std::to_string(given.activation));
  }
  if (given.kind == SINEW_TORCH_CONTRACT && !(given.least_alpha > 0)) Refuse(number, "may divide by an alpha of zero");
  Layer layer{given,
              {given.inputs, given.inputs + given.input_count},
              WidthOf(given.inputs[0]),
              static_cast<int>(slots_.size())};
  if (given.kind == SINEW_TORCH_LINEAR) layer.width = given.width;
  if (attends) layer.width = given.heads * given.width + given.self_width;
  for (int k = 1; k < given.input_count; ++k) layer.width += WidthOf(given.inputs[k]);
  return layer;
}

void Network::AddSlot(int64_t rows, int64_t columns, bool trained, bool starts_at_one) {
  slots_.push_back({size(), rows, columns, trained, starts_at_one, trained && rows > 1});
}

void Network::AddSlots(const Layer& layer, int inputs) {
  const SinewTorchLayer& given = layer.given;
  switch (given.kind) {
    case SINEW_TORCH_LINEAR:
      AddSlot(inputs, given.width);
      if (given.bias) AddSlot(1, given.width);
      break;
    case SINEW_TORCH_BATCH_NORM:
      for (int k = 0; k < 4; ++k) AddSlot(1, inputs, k < 2, k == 3);
      break;
    case SINEW_TORCH_ATTENTION:
      AddSlot(inputs, given.heads * given.width);
      for (int k = 0; k < 2; ++k) AddSlot(given.heads, given.width);
      if (given.self_width > 0) AddSlot(inputs, given.self_width);
      break;
    case SINEW_TORCH_CONTRACT:
      AddSlot(inputs, given.width);
      for (int k = 0; k < 2; ++k) AddSlot(1, given.width);
      break;
    default:
      break;
  }
}

Network::Network(const SinewTorchLayer* layers, int layer_count, int inputs) : inputs_(inputs) {
  if (layers == nullptr || layer_count < 1 || inputs < 1) throw std::runtime_error("a network needs layers and inputs");
  for (int k = 0; k < layer_count; ++k) {
    const Layer layer = Check(layers[k], k);
    AddSlots(layer, WidthOf(layer.inputs[0]));
    layers_.push_back(layer);
    layers_.back().given.inputs = nullptr;  // the caller's
  }
  CheckPlaces(layers, layer_count);
}

int64_t Network::size() const {
  return slots_.empty() ? 0 : slots_.back().offset + slots_.back().rows * slots_.back().columns;
}

Tensor Network::Run(const std::vector<Tensor>& tensors, const Tensor& features, Batch& batch, double momentum,
                    std::vector<Statistics>* statistics) const {
  Pass pass{*this, tensors, batch, momentum, statistics};
  pass.contractions.resize(layers_.size());
  pass.values.push_back({features, batch.Level(0), 0});
  for (size_t k = 0; k < layers_.size(); ++k) pass.values.push_back(pass.Run(static_cast<int>(k), layers_[k]));
  return pass.values.back().rows;
}

Tensor Loss(const Tensor& outputs, const Tensor& targets, const Tensor& weights, const Graph& graph, double huber,
            double edges) {
  const Tensor residual = outputs - targets;
  Tensor terms = residual.square();
  if (huber > 0) {
    const Tensor size = residual.abs();
    terms = torch::where(size < huber, terms, 2 * huber * size - huber * huber);
  }
  if (edges > 0) {
    const Tensor difference = (Take(residual, graph.bare_rows) - Take(residual, graph.bare_columns)).square();
    const Tensor& starts = graph.bare_rows.starts;
    const Tensor degrees = (starts.slice(0, 1) - starts.slice(0, 0, -1)).clamp_min(1).to(residual.options());
    terms = terms + edges * Sum(difference, graph.bare_rows) / degrees.unsqueeze(1);
  }
  // Down the columns first: a sum of everything at once is cut by the number of threads.
  return (terms * weights.unsqueeze(1)).sum(0).sum();
}

}  // namespace sinew_torch
