// The meshes of a step, one after another, as graphs on the device.
#ifndef SINEW_OFFLINE_LEARN_TORCH_BATCH_H_
#define SINEW_OFFLINE_LEARN_TORCH_BATCH_H_

#include <array>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "adjacency.h"
#include "rows.h"

namespace sinew_torch {

// The graph that a value's rows are the vertices of.
struct Graph {
  Adjacency adjacency;
  RowMap rows, columns;              // per edge, self-edges included
  EdgeList bare_edges;               // without self-edges
  RowMap bare_rows, bare_columns;    // per edge of these
  std::vector<int64_t> mesh_starts;  // rows of mesh m: mesh_starts[m] up to mesh_starts[m + 1]
};
std::shared_ptr<const Graph> MakeGraph(Adjacency adjacency, std::vector<int64_t> mesh_starts, torch::Device device);

// A mesh, and its rings where steps need them.
struct PlacedMesh {
  PlacedMesh(Mesh given, torch::Device device);

  Mesh mesh;
  std::vector<Tensor> rings;  // per level: one row each for a, b, c, d of every set, on the device; undefined: none
};

// The meshes of a step, one after another.
class Batch {
 public:
  Batch(std::vector<const PlacedMesh*> meshes, torch::Device device);
  // Throws std::runtime_error if a mesh has no such level.
  std::shared_ptr<const Graph> Level(int level);
  // The map of a level's vertices to those of the next one.
  const RowMap& Coarser(int level);
  // The edges a, b, c, d around each edge of a level, of one set of its rings; a row of zeros behind all others where
  // there is none. Throws std::runtime_error if a mesh has no such rings there.
  const std::array<RowMap, 4>& Rings(int level, int set);
  torch::Device device() const { return device_; }

 private:
  std::vector<const PlacedMesh*> meshes_;
  torch::Device device_;
  std::vector<std::shared_ptr<const Graph>> graphs_;  // per level; null as long as nobody asked
  std::vector<std::unique_ptr<RowMap>> maps_;
  std::map<std::pair<int, int>, std::array<RowMap, 4>> rings_;  // by level and set
};

}  // namespace sinew_torch

#endif  // SINEW_OFFLINE_LEARN_TORCH_BATCH_H_
