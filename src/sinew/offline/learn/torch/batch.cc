#include "batch.h"

#include <stdexcept>
#include <string>
#include <utility>

namespace sinew_torch {
namespace {

EdgeMaps MakeEdgeMaps(const Adjacency& adjacency, torch::Device device) {
  const int64_t vertices = adjacency.vertices();
  const EdgeList edges = EdgesOf(adjacency, true), bare = EdgesOf(adjacency, false);
  return {MakeRowMap(edges.rows, vertices, device), MakeRowMap(edges.columns, vertices, device),
          MakeRowMap(bare.rows, vertices, device), MakeRowMap(bare.columns, vertices, device)};
}

}  // namespace

Adjacency Graph::JoinedNeighbours() const {
  Adjacency joined;
  for (const Adjacency* one : neighbours) Append(*one, &joined);
  return joined;
}

std::shared_ptr<const Graph> MakeGraph(Adjacency adjacency, std::vector<int64_t> mesh_starts, torch::Device device) {
  const auto own = std::make_shared<const Adjacency>(std::move(adjacency));
  return std::make_shared<Graph>(Graph{MakeEdgeMaps(*own, device), std::move(mesh_starts), {own.get()}, own});
}

const EdgeMaps& DeviceMesh::Edges(int level) {
  std::optional<EdgeMaps>& edges = levels_[level].edges;
  if (!edges) edges = MakeEdgeMaps(mesh_.levels[level].adjacency, device_);
  return *edges;
}

const RowMap& DeviceMesh::Coarser(int level) {
  std::optional<RowMap>& coarser = levels_[level].coarser;
  if (!coarser) {
    coarser = MakeRowMap(mesh_.levels[level].coarser, mesh_.levels[level + 1].adjacency.vertices(), device_);
  }
  return *coarser;
}

const Tensor& DeviceMesh::Shares(int level) {
  Tensor& shares = levels_[level].shares;
  if (!shares.defined()) {
    std::vector<float>& values = mesh_.levels[level].shares;
    const auto rows = static_cast<int64_t>(values.size());
    shares = torch::from_blob(values.data(), {rows, 1}, torch::kFloat).clone().to(device_);
  }
  return shares;
}

const Tensor& DeviceMesh::Rings(int level) {
  Tensor& rings = levels_[level].rings;
  const sinew_torch::Level& own = mesh_.levels[level];
  if (!rings.defined() && !own.rings.empty()) {
    rings = Upload(own.rings, device_).view({-1, own.adjacency.vertices()});
  }
  return rings;
}

Batch::Batch(std::vector<DeviceMesh*> meshes, torch::Device device) : meshes_(std::move(meshes)), device_(device) {}

Batch::Joined& Batch::At(int level) {
  for (const DeviceMesh* mesh : meshes_) {
    if (level >= static_cast<int>(mesh->mesh().levels.size())) {
      throw std::runtime_error("the network pools to level " + std::to_string(level) + ", which a mesh does not have");
    }
  }
  while (static_cast<int>(levels_.size()) <= level) levels_.push_back(std::make_unique<Joined>());
  return *levels_[level];
}

std::shared_ptr<const Graph> Batch::Level(int level) {
  Joined& joined = At(level);
  if (joined.graph != nullptr) return joined.graph;
  auto graph = std::make_shared<Graph>();
  graph->mesh_starts = {0};
  std::vector<const EdgeMaps*> edges;
  for (DeviceMesh* mesh : meshes_) {
    edges.push_back(&mesh->Edges(level));
    graph->neighbours.push_back(&mesh->mesh().levels[level].adjacency);
    graph->mesh_starts.push_back(graph->mesh_starts.back() + graph->neighbours.back()->vertices());
  }
  const auto join = [&edges](RowMap EdgeMaps::*map) {
    std::vector<const RowMap*> maps;
    for (const EdgeMaps* one : edges) maps.push_back(&(one->*map));
    return JoinRowMaps(maps);
  };
  graph->edges = {join(&EdgeMaps::rows), join(&EdgeMaps::columns), join(&EdgeMaps::bare_rows),
                  join(&EdgeMaps::bare_columns)};
  joined.graph = std::move(graph);
  return joined.graph;
}

const RowMap& Batch::Coarser(int level) {
  At(level + 1);
  Joined& joined = At(level);
  if (joined.coarser == nullptr) {
    std::vector<const RowMap*> maps;
    for (DeviceMesh* mesh : meshes_) maps.push_back(&mesh->Coarser(level));
    joined.coarser = std::make_unique<RowMap>(JoinRowMaps(maps));
  }
  return *joined.coarser;
}

const Tensor& Batch::Shares(int level) {
  At(level + 1);
  Joined& joined = At(level);
  if (!joined.shares.defined()) {
    std::vector<Tensor> shares;
    for (DeviceMesh* mesh : meshes_) shares.push_back(mesh->Shares(level));
    joined.shares = torch::cat(shares);
  }
  return joined.shares;
}

const std::array<RowMap, 4>& Batch::Rings(int level, int set) {
  const std::vector<int64_t>& starts = Level(level)->mesh_starts;
  Joined& at = At(level);
  const auto known = at.rings.find(set);
  if (known != at.rings.end()) return known->second;
  std::vector<Tensor> parts;
  for (size_t m = 0; m < meshes_.size(); ++m) {
    const Tensor& own = meshes_[m]->Rings(level);
    if (!own.defined() || own.size(0) < 4 * (set + 1)) {
      throw std::runtime_error("the network works on edges, and a mesh has no rings of them that reach as far");
    }
    const Tensor ring = own.slice(0, 4 * set, 4 * set + 4);
    parts.push_back(torch::where(ring < 0, torch::full_like(ring, starts.back()), ring + starts[m]));
  }
  const Tensor joined = torch::cat(parts, 1);
  std::array<RowMap, 4>& maps = at.rings[set];
  for (int k = 0; k < 4; ++k) maps[k] = MakeRowMap(joined[k].contiguous(), starts.back() + 1);
  return maps;
}

}  // namespace sinew_torch
