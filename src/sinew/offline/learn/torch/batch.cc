#include "batch.h"

#include <stdexcept>
#include <string>
#include <utility>

namespace sinew_torch {

std::shared_ptr<const Graph> MakeGraph(Adjacency adjacency, std::vector<int64_t> mesh_starts, torch::Device device) {
  auto graph = std::make_shared<Graph>();
  graph->mesh_starts = std::move(mesh_starts);
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
    std::vector<int64_t> starts = {0};
    for (const Mesh* mesh : meshes_) {
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
    for (const Mesh* mesh : meshes_) {
      for (const int64_t c : mesh->levels[level].coarser) joined.push_back(first + c);
      first += mesh->levels[level + 1].adjacency.vertices();
    }
    maps_[level] = std::make_unique<RowMap>(MakeRowMap(joined, targets, device_));
  }
  return *maps_[level];
}

const std::array<RowMap, 4>& Batch::Rings(int level) {
  const int64_t rows = Level(level)->adjacency.vertices();
  if (static_cast<int>(rings_.size()) <= level) rings_.resize(level + 1);
  if (rings_[level] != nullptr) return *rings_[level];
  std::array<std::vector<int64_t>, 4> joined;
  int64_t first = 0;
  for (const Mesh* mesh : meshes_) {
    const sinew_torch::Level& own = mesh->levels[level];
    if (own.rings.empty()) throw std::runtime_error("the network works on edges, and a mesh has no rings of them");
    for (size_t k = 0; k < own.rings.size(); ++k) {
      joined[k % 4].push_back(own.rings[k] < 0 ? rows : first + own.rings[k]);
    }
    first += own.adjacency.vertices();
  }
  rings_[level] = std::make_unique<std::array<RowMap, 4>>();
  for (int k = 0; k < 4; ++k) (*rings_[level])[k] = MakeRowMap(joined[k], rows + 1, device_);
  return *rings_[level];
}

}  // namespace sinew_torch
