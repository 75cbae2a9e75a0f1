#include "network.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace sinew_torch {
namespace {

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
  const RowMap &rows = graph.edges.rows, &columns = graph.edges.columns;
  const Tensor scores = torch::leaky_relu(Take(own, rows) + Take(other, columns), slope);
  const Tensor p = Exponentials(scores, rows);
  const Tensor weighted = Take(h, columns).view({-1, heads, width}) * p.unsqueeze(2);
  const Tensor sums = Sum(weighted.view({-1, heads * width}), rows).view({-1, heads, width});
  return (sums / Sum(p, rows).unsqueeze(2)).view({-1, heads * width});
}

[[noreturn]] void Refuse(int layer, const std::string& what) {
  throw std::runtime_error("layer " + std::to_string(layer) + " of the network " + what);
}

}  // namespace

// What is known while layers run in a row.
struct Network::Pass {
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
    const Tensor rows = Sum(from.rows * batch.Shares(from.level), batch.Coarser(from.level));
    return {rows, batch.Level(from.level + 1), from.level + 1};
  }
  Value Unpool(const Value& from) {
    return {Take(from.rows, batch.Coarser(from.level - 1)), batch.Level(from.level - 1), from.level - 1};
  }

  // Eqs. 8 and 9.
  Value Merge(int number, const Layer& layer, const Value& from) {
    const Graph& graph = *from.graph;
    const RowMap& rows = graph.edges.bare_rows;
    const int first_half = layer.given.width > 0 ? 1 : 0;
    const Tensor h = layer.given.width > 0 ? from.rows.matmul(At(layer, 0)) : from.rows;
    const Tensor own = h.matmul(At(layer, first_half).t()), other = h.matmul(At(layer, first_half + 1).t());
    const Tensor raw = torch::leaky_relu(Take(own, rows) + Take(other, graph.edges.bare_columns), layer.given.slope);
    const Tensor p = Exponentials(raw, rows);
    const Tensor scores = (p / Take(Sum(p, rows), rows)).squeeze(1);
    const Tensor known = scores.detach().to(torch::kCPU).contiguous();
    const float* const first = known.data_ptr<float>();
    const Adjacency neighbours = graph.JoinedNeighbours();
    Contraction made = Contract(neighbours, EdgesOf(neighbours, false), {first, first + known.numel()});

    // Alpha of a merged vertex is behind the number of its edge; a vertex that is left over takes the one behind all
    // edges.
    for (int64_t& edge : made.edge) edge = edge < 0 ? known.numel() : edge;
    const torch::Device device = from.rows.device();
    const Tensor all = torch::cat({scores.clamp_min(layer.given.least_alpha), torch::ones({1}, scores.options())});
    const Tensor alpha = all.index_select(0, Upload(made.edge, device)).unsqueeze(1);
    Contracted& kept = contractions[number];
    // Merged vertices are numbered by their first ones: those of a mesh follow each other as its vertices do.
    std::vector<int64_t> starts;
    for (const int64_t first_row : graph.mesh_starts) {
      const bool end = first_row == graph.vertices();
      starts.push_back(end ? static_cast<int64_t>(made.edge.size()) : made.coarse[first_row]);
    }
    kept = {MakeRowMap(made.coarse, static_cast<int64_t>(made.edge.size()), device), alpha, from};
    return {Sum(from.rows, kept.map) * alpha, MakeGraph(std::move(made.adjacency), std::move(starts), device),
            from.level};
  }

  // Eq. 10.
  Value Expand(const Layer& layer, const Value& from) const {
    const Contracted& kept = contractions[layer.given.partner];
    return {Take(from.rows / kept.alpha, kept.map), kept.before.graph, kept.before.level};
  }

  // [e, a + c, b + d, |a - c|, |b - d|] of every edge; missing neighbours are zero.
  Tensor RingFeatures(const Value& from, int set) {
    const std::array<RowMap, 4>& rings = batch.Rings(from.level, set);
    const Tensor padded = torch::cat({from.rows, torch::zeros({1, from.rows.size(1)}, from.rows.options())});
    const Tensor a = Take(padded, rings[0]), b = Take(padded, rings[1]), c = Take(padded, rings[2]),
                 d = Take(padded, rings[3]);
    return torch::cat({from.rows, a + c, b + d, (a - c).abs(), (b - d).abs()}, 1);
  }

  // The first `channels` columns become their maximum over all rows of the same mesh.
  Tensor ChannelMax(const Value& from, int64_t channels) const {
    const std::vector<int64_t>& starts = from.graph->mesh_starts;
    std::vector<Tensor> largest;
    for (size_t m = 0; m + 1 < starts.size(); ++m) {
      const Tensor block = from.rows.slice(0, starts[m], starts[m + 1]).slice(1, 0, channels);
      const Tensor first = std::get<1>(block.detach().max(0, true));  // of equal ones the first, as libtorch promises
      largest.push_back(block.gather(0, first).expand({block.size(0), channels}));
    }
    return torch::cat({torch::cat(largest), from.rows.slice(1, channels)}, 1);
  }

  // The mean of a mesh's votes for each point, weighted by the softmax of the logits, and how far votes lie from it.
  Tensor PoolVotes(const Layer& layer, const Value& from) const {
    const std::vector<int64_t>& starts = from.graph->mesh_starts;
    const int64_t points = layer.given.width;
    std::vector<Tensor> pooled;
    for (size_t m = 0; m + 1 < starts.size(); ++m) {
      const Tensor block = from.rows.slice(0, starts[m], starts[m + 1]);
      const Tensor weights = torch::softmax(block.slice(1, 0, points), 0).unsqueeze(2);
      const Tensor votes = block.slice(1, points).reshape({-1, points, 3});
      const Tensor point = (weights * votes).sum(0, true);
      const Tensor squares = (weights * (votes - point).square()).sum(0).sum(1);
      const Tensor spread = (squares + layer.given.epsilon).sqrt() * layer.given.slope;
      pooled.push_back(torch::cat({point.view({1, -1}), spread.view({1, -1})}, 1).expand({block.size(0), 4 * points}));
    }
    return torch::cat(pooled);
  }

  // Neural blend shapes, Eq. 1: the mean of a mesh's rows, weighted by each of the first `joints` columns.
  Value PoolToJoints(const Layer& layer, const Value& from) const {
    const int64_t joints = layer.given.width, first = layer.given.measured ? 1 : 0;
    const std::vector<int64_t>& starts = from.graph->mesh_starts;
    std::vector<Tensor> pooled;
    Adjacency none;
    std::vector<int64_t> ends = {0};
    for (size_t m = 0; m + 1 < starts.size(); ++m) {
      const Tensor block = from.rows.slice(0, starts[m], starts[m + 1]);
      Tensor weights = block.slice(1, first, first + joints);
      if (first > 0) weights = weights * block.slice(1, 0, 1);
      const Tensor mass = weights.sum(0), has = mass > 0;
      const Tensor share = has / torch::where(has, mass, torch::ones_like(mass));
      pooled.push_back(weights.t().matmul(block.slice(1, first + joints)) * share.unsqueeze(1));
      ends.push_back(ends.back() + joints);
    }
    none.starts.assign(ends.back() + 1, 0);
    return {torch::cat(pooled), MakeGraph(std::move(none), std::move(ends), from.rows.device()), from.level};
  }

  // Every joint sees those near it, each through a matrix of its own: one product per pair, over all bodies.
  Tensor ConvolveJoints(const Layer& layer, const Tensor& x) const {
    const int64_t joints = layer.given.joints, pairs = layer.skeleton.seen.rows();
    const int64_t inputs = x.size(1), outputs = layer.given.width, bodies = x.size(0) / joints;
    const Tensor by_joint = x.view({bodies, joints, inputs}).transpose(0, 1).reshape({joints, bodies * inputs});
    const Tensor products = Take(by_joint, layer.skeleton.seen)
                                .view({pairs, bodies, inputs})
                                .bmm(At(layer, 0).view({pairs, inputs, outputs}));
    const Tensor sums =
        Sum(products.reshape({pairs, bodies * outputs}), layer.skeleton.seeing).view({joints, bodies, outputs});
    return (sums + At(layer, 1).unsqueeze(1)).transpose(0, 1).reshape({bodies * joints, outputs});
  }

  Value BackToRows(const Value& from, int64_t joints) {
    const std::shared_ptr<const Graph> graph = batch.Level(from.level);
    std::vector<Tensor> rows;
    for (size_t m = 0; m + 1 < graph->mesh_starts.size(); ++m) {
      const auto body = static_cast<int64_t>(m);
      const Tensor all = from.rows.slice(0, body * joints, (body + 1) * joints).reshape({1, -1});
      rows.push_back(all.expand({graph->mesh_starts[m + 1] - graph->mesh_starts[m], all.size(1)}));
    }
    return {torch::cat(rows), graph, from.level};
  }

  Value Run(int number, const Layer& layer) {
    const Value& from = values[layer.inputs[0]];
    const auto same = [&from](Tensor rows) { return Value{std::move(rows), from.graph, from.level}; };
    switch (layer.given.kind) {
      case SINEW_TORCH_LINEAR:
      case SINEW_TORCH_MESH_CONV: {
        const bool edges = layer.given.kind == SINEW_TORCH_MESH_CONV;
        const Tensor product = (edges ? RingFeatures(from, layer.given.reach) : from.rows).matmul(At(layer, 0));
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
      case SINEW_TORCH_SOFTMAX:
        return same(torch::softmax(from.rows, 1));
      case SINEW_TORCH_CHANNEL_MAX:
        return same(ChannelMax(from, layer.given.width));
      case SINEW_TORCH_SKINNING_POOL:
        return PoolToJoints(layer, from);
      case SINEW_TORCH_SKELETON_CONV:
        return same(ConvolveJoints(layer, from.rows));
      case SINEW_TORCH_CHAIN_SUM:
        return same(
            torch::matmul(layer.skeleton.chains, from.rows.view({-1, layer.skeleton.chains.size(0), from.rows.size(1)}))
                .view({-1, from.rows.size(1)}));
      case SINEW_TORCH_TO_ROWS:
        return BackToRows(from, layer.given.width);
      case SINEW_TORCH_COLUMNS:
        return same(from.rows.slice(1, layer.given.first, layer.given.first + layer.given.width));
      case SINEW_TORCH_VOTE_POOL:
        return same(PoolVotes(layer, from));
      default:
        return Expand(layer, from);
    }
  }
};

namespace {

// Where rows of a value belong: a level of the mesh, inside of a contraction, or joints. Values are only joined within
// a place.
struct Place {
  int level = 0;
  int contraction = -1;  // number of a layer
  int joints = 0;        // 0: rows are no joints
  bool operator==(const Place&) const = default;
};

bool NeedsNeighbours(int kind) {
  return kind == SINEW_TORCH_ATTENTION || kind == SINEW_TORCH_POOL || kind == SINEW_TORCH_UNPOOL ||
         kind == SINEW_TORCH_CONTRACT || kind == SINEW_TORCH_MESH_CONV || kind == SINEW_TORCH_SKINNING_POOL ||
         kind == SINEW_TORCH_VOTE_POOL;
}

Place PlaceOfOutput(const SinewTorchLayer& layer, int number, const std::vector<Place>& places) {
  Place place = places[layer.inputs[0]];
  if (place.joints > 0 && NeedsNeighbours(layer.kind)) Refuse(number, "needs the mesh, and its rows are joints");
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
      return {place.level, number, 0};
    case SINEW_TORCH_EXPAND:
      if (place.contraction < 0 || place.contraction != layer.partner) Refuse(number, "undoes another contraction");
      return {place.level, -1, 0};
    case SINEW_TORCH_MESH_CONV:
      if (place.contraction >= 0) Refuse(number, "works on edges inside of a contraction");
      return place;
    case SINEW_TORCH_SKINNING_POOL:
      if (place.contraction >= 0) Refuse(number, "pools to joints inside of a contraction");
      return {place.level, -1, layer.width};
    case SINEW_TORCH_TO_ROWS:
      if (place.joints != layer.width) Refuse(number, "goes back from other joints than its rows are");
      return {place.level, -1, 0};
    case SINEW_TORCH_SKELETON_CONV:
    case SINEW_TORCH_CHAIN_SUM:
      if (place.joints != layer.joints) Refuse(number, "works on other joints than its rows are");
      return place;
    default:
      return place;
  }
}

// Returns the number of joints that the output has a row for each of, or 0.
int CheckPlaces(const SinewTorchLayer* layers, int count) {
  std::vector<Place> places = {Place{}};
  for (int k = 0; k < count; ++k) places.push_back(PlaceOfOutput(layers[k], k, places));
  const Place last = places.back();
  if (last.level != 0 || last.contraction >= 0) Refuse(count - 1, "is the output, and is not on the mesh itself");
  return last.joints;
}

}  // namespace

Layer Network::Check(const SinewTorchLayer& given, int number) const {
  if (given.kind < SINEW_TORCH_LINEAR || given.kind > SINEW_TORCH_COLUMNS) {
    Refuse(number, "is of the unknown kind " + std::to_string(given.kind));
  }
  const bool joins = given.kind == SINEW_TORCH_CONCATENATE;
  if (given.inputs == nullptr || given.input_count < 1 || (!joins && given.input_count != 1)) {
    Refuse(number, "has " + std::to_string(given.input_count) + " inputs");
  }
  for (int k = 0; k < given.input_count; ++k) {
    if (given.inputs[k] < 0 || given.inputs[k] > number) Refuse(number, "uses a value that is not there yet");
  }
  const bool weighted = given.kind == SINEW_TORCH_LINEAR || given.kind == SINEW_TORCH_MESH_CONV;
  const bool pools = given.kind == SINEW_TORCH_CHANNEL_MAX || given.kind == SINEW_TORCH_SKINNING_POOL;
  const bool contracts = given.kind == SINEW_TORCH_CONTRACT;
  const bool votes = given.kind == SINEW_TORCH_VOTE_POOL;
  const bool skeleton = given.kind == SINEW_TORCH_SKELETON_CONV, chains = given.kind == SINEW_TORCH_CHAIN_SUM;
  const bool back = given.kind == SINEW_TORCH_TO_ROWS, columns = given.kind == SINEW_TORCH_COLUMNS;
  const bool sized =
      weighted || pools || votes || contracts || skeleton || back || columns || given.kind == SINEW_TORCH_ATTENTION;
  constexpr int kMaxWidth = 1 << 16;
  if (sized && (given.width < (contracts ? 0 : 1) || given.width > kMaxWidth))
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
  if (given.kind == SINEW_TORCH_MESH_CONV && given.reach < 0) Refuse(number, "reaches less than no ring far");
  if (votes && (!(given.epsilon > 0) || WidthOf(given.inputs[0]) != 4 * given.width)) {
    Refuse(number, "has not four columns per point, or no least spread");
  }
  if (!std::isfinite(given.rate) || given.rate < 0) Refuse(number, "has a negative factor of the learning rate");
  if (contracts && !(given.least_alpha > 0)) Refuse(number, "may divide by an alpha of zero");
  Layer layer{given,
              {given.inputs, given.inputs + given.input_count},
              WidthOf(given.inputs[0]),
              static_cast<int>(slots_.size())};
  if (weighted || skeleton || columns) layer.width = given.width;
  if (back) layer.width *= given.width;
  if (columns && (given.first < 0 || given.first > WidthOf(given.inputs[0]) - given.width)) {
    Refuse(number, "takes columns that are not there");
  }
  if ((skeleton || chains) && !IsSkeleton(given.parents, given.joints)) Refuse(number, "has no skeleton");
  if (given.kind == SINEW_TORCH_CHANNEL_MAX && given.width > layer.width) Refuse(number, "has not as many channels");
  if (given.kind == SINEW_TORCH_SKINNING_POOL) {
    layer.width -= given.width + (given.measured ? 1 : 0);
    if (layer.width < 1) Refuse(number, "has nothing but weights to pool");
  }
  if (attends) layer.width = given.heads * given.width + given.self_width;
  for (int k = 1; k < given.input_count; ++k) layer.width += WidthOf(given.inputs[k]);
  return layer;
}

void Network::AddSlot(const Layer& layer, int64_t rows, int64_t columns, bool trained, bool starts_at_one) {
  slots_.push_back({size(), rows, columns, trained, starts_at_one, trained && rows > 1,
                    layer.given.rate > 0 ? layer.given.rate : 1.0F});
}

void Network::AddSlots(const Layer& layer, int inputs) {
  const SinewTorchLayer& given = layer.given;
  switch (given.kind) {
    case SINEW_TORCH_LINEAR:
    case SINEW_TORCH_MESH_CONV:
      AddSlot(layer, given.kind == SINEW_TORCH_MESH_CONV ? 5 * static_cast<int64_t>(inputs) : inputs, given.width);
      if (given.bias) AddSlot(layer, 1, given.width);
      break;
    case SINEW_TORCH_BATCH_NORM:
      for (int k = 0; k < 4; ++k) AddSlot(layer, 1, inputs, k < 2, k == 3);
      break;
    case SINEW_TORCH_ATTENTION:
      AddSlot(layer, inputs, given.heads * given.width);
      for (int k = 0; k < 2; ++k) AddSlot(layer, given.heads, given.width);
      if (given.self_width > 0) AddSlot(layer, inputs, given.self_width);
      break;
    case SINEW_TORCH_CONTRACT:
      if (given.width > 0) AddSlot(layer, inputs, given.width);
      for (int k = 0; k < 2; ++k) AddSlot(layer, 1, given.width > 0 ? given.width : inputs);
      break;
    case SINEW_TORCH_SKELETON_CONV:
      AddSlot(layer, layer.skeleton.seen.rows() * inputs, given.width);
      AddSlot(layer, layer.given.joints, given.width);
      slots_.back().decays = false;
      break;
    default:
      break;
  }
}

Network::Network(const SinewTorchLayer* layers, int layer_count, int inputs, torch::Device device) : inputs_(inputs) {
  if (layers == nullptr || layer_count < 1 || inputs < 1) throw std::runtime_error("a network needs layers and inputs");
  for (int k = 0; k < layer_count; ++k) {
    Layer layer = Check(layers[k], k);
    const bool skeleton = layer.given.kind == SINEW_TORCH_SKELETON_CONV || layer.given.kind == SINEW_TORCH_CHAIN_SUM;
    if (skeleton) layer.skeleton = MakeSkeleton(layer.given.parents, layer.given.joints, layer.given.distance, device);
    AddSlots(layer, WidthOf(layer.inputs[0]));
    layers_.push_back(layer);
    layers_.back().given.inputs = layers_.back().given.parents = nullptr;  // the caller's
  }
  joints_ = CheckPlaces(layers, layer_count);
}

int64_t Network::size() const {
  return slots_.empty() ? 0 : slots_.back().offset + slots_.back().rows * slots_.back().columns;
}

Value Network::Run(const std::vector<Tensor>& tensors, const Tensor& features, Batch& batch, double momentum,
                   std::vector<Statistics>* statistics) const {
  Pass pass{*this, tensors, batch, momentum, statistics};
  pass.contractions.resize(layers_.size());
  pass.values.push_back({features, batch.Level(0), 0});
  for (size_t k = 0; k < layers_.size(); ++k) pass.values.push_back(pass.Run(static_cast<int>(k), layers_[k]));
  return pass.values.back();
}

Tensor LossTerms(const Value& outputs, const Tensor& targets, const Tensor& weights, double huber, double edges) {
  const Graph& graph = *outputs.graph;
  const Tensor residual = outputs.rows - targets;
  Tensor terms = residual.square();
  if (huber > 0) {
    const Tensor size = residual.abs();
    terms = torch::where(size < huber, terms, 2 * huber * size - huber * huber);
  }
  if (edges > 0) {
    const RowMap& rows = graph.edges.bare_rows;
    const Tensor difference = (Take(residual, rows) - Take(residual, graph.edges.bare_columns)).square();
    const Tensor degrees = rows.Counts().clamp_min(1).to(residual.options());
    terms = terms + edges * Sum(difference, rows) / degrees.unsqueeze(1);
  }
  return terms * weights.unsqueeze(1);
}

// Down the columns first: a sum of everything at once is cut by the number of threads.
Tensor SumOfTerms(const Tensor& terms) { return terms.sum(0).sum(); }

}  // namespace sinew_torch
