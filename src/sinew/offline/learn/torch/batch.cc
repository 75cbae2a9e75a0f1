#include "batch.h"

#include <stdexcept>
#include <string>
#include <utility>

namespace sinew_torch {

std::shared_ptr<const Graph> MakeGraph(Adjacency adjacency, std::vector<int64_t> mesh_starts, torch::Device device) {
  auto graph = std::make_shared<Graph>();
  graph->mesh_starts = std::move(mesh_starts);
  const int64_t vertices = adjacency.vertices();
  if (adjacency.columns.empty()) {
    // Every vertex is its own only neighbour. Nothing is copied to the device, which steps on large batches of edges
    // would wait for.
    const auto numbers = torch::TensorOptions(torch::kLong);
    const Tensor count = torch::arange(vertices + 1, numbers), none = torch::empty({0}, numbers);
    const RowMap own = {torch::arange(vertices, numbers.device(device)), count,
                        device.is_cpu() ? count.slice(0, 0, vertices) : none};
    const RowMap bare = {none.to(device), torch::zeros({vertices + 1}, numbers), none};
    graph->rows = graph->columns = own;
    graph->bare_rows = graph->bare_columns = bare;
    graph->adjacency = std::move(adjacency);
    return graph;
  }
  const EdgeList edges = EdgesOf(adjacency, true);
  graph->rows = MakeRowMap(edges.rows, vertices, device);
  graph->columns = MakeRowMap(edges.columns, vertices, device);
  graph->bare_edges = EdgesOf(adjacency, false);
  graph->bare_rows = MakeRowMap(graph->bare_edges.rows, vertices, device);
  graph->bare_columns = MakeRowMap(graph->bare_edges.columns, vertices, device);
  graph->adjacency = std::move(adjacency);
  return graph;
}

PlacedMesh::PlacedMesh(Mesh given, torch::Device device) : mesh(std::move(given)) {
  for (const sinew_torch::Level& level : mesh.levels) {
    rings.push_back(level.rings.empty() ? Tensor()
                                        : Upload(level.rings, device).view({-1, level.adjacency.vertices()}));
  }
}

Batch::Batch(std::vector<const PlacedMesh*> meshes, torch::Device device)
    : meshes_(std::move(meshes)), device_(device) {}

std::shared_ptr<const Graph> Batch::Level(int level) {
  for (const PlacedMesh* placed : meshes_) {
    const Mesh* mesh = &placed->mesh;
    if (level >= static_cast<int>(mesh->levels.size())) {
      throw std::runtime_error("the network pools to level " + std::to_string(level) + ", which a mesh does not have");
    }
  }
  if (static_cast<int>(graphs_.size()) <= level) graphs_.resize(level + 1);
  if (graphs_[level] == nullptr) {
    Adjacency joined;
    std::vector<int64_t> starts = {0};
    for (const PlacedMesh* placed : meshes_) {
      const Mesh* mesh = &placed->mesh;
      Append(mesh->levels[level].adjacency, &joined);
      starts.push_back(joined.vertices());
    }
    graphs_[level] = MakeGraph(std::move(joined), std::move(starts), device_);
  }
  return graphs_[level];
}

const RowMap& Batch::Coarser(int level) {
  const int64_t targets = Level(level + 1)->adjacency.vertices();
  if (static_cast<int>(maps_.size()) <= level) maps_.resize(level + 1);
  if (maps_[level] == nullptr) {
    std::vector<int64_t> joined;
    int64_t first = 0;
    for (const PlacedMesh* placed : meshes_) {
      const Mesh* mesh = &placed->mesh;
      for (const int64_t c : mesh->levels[level].coarser) joined.push_back(first + c);
      first += mesh->levels[level + 1].adjacency.vertices();
    }
    maps_[level] = std::make_unique<RowMap>(MakeRowMap(joined, targets, device_));
  }
  return *maps_[level];
}

const std::array<RowMap, 4>& Batch::Rings(int level, int set) {
  const auto known = rings_.find({level, set});
  if (known != rings_.end()) return known->second;
  const std::vector<int64_t>& starts = Level(level)->mesh_starts;
  std::vector<Tensor> parts;
  for (size_t m = 0; m < meshes_.size(); ++m) {
    const Tensor& own = meshes_[m]->rings[level];
    if (!own.defined() || own.size(0) < 4 * (set + 1)) {
      throw std::runtime_error("the network works on edges, and a mesh has no rings of them that reach as far");
    }
    const Tensor ring = own.slice(0, 4 * set, 4 * set + 4);
    parts.push_back(torch::where(ring < 0, torch::full_like(ring, starts.back()), ring + starts[m]));
  }
  const Tensor joined = torch::cat(parts, 1);
  std::array<RowMap, 4>& maps = rings_[{level, set}];
  for (int k = 0; k < 4; ++k) maps[k] = MakeRowMap(joined[k].contiguous(), starts.back() + 1);
  return maps;
}

}  // namespace sinew_torch
