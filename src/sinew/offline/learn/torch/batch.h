// The meshes of a step, one after another, as graphs on the device. What is known of a mesh is put there once; a step
// only joins it, by arithmetic on indices.
#ifndef SINEW_OFFLINE_LEARN_TORCH_BATCH_H_
#define SINEW_OFFLINE_LEARN_TORCH_BATCH_H_

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "adjacency.h"
#include "rows.h"

namespace sinew_torch {

// The edges of a graph as maps from edges to vertices.
struct EdgeMaps {
  RowMap rows, columns;            // self-edges included
  RowMap bare_rows, bare_columns;  // without self-edges
};

// The graph that a value's rows are the vertices of.
struct Graph {
  EdgeMaps edges;
  std::vector<int64_t> mesh_starts;          // rows of mesh m: mesh_starts[m] up to mesh_starts[m + 1]
  std::vector<const Adjacency*> neighbours;  // of the meshes
  std::shared_ptr<const Adjacency> own;      // of a graph that is no level of a mesh

  int64_t vertices() const { return mesh_starts.back(); }
  // Neighbours in all meshes, on the processor: only contractions need them.
  Adjacency JoinedNeighbours() const;
};
// A graph that is no level of a mesh.
std::shared_ptr<const Graph> MakeGraph(Adjacency adjacency, std::vector<int64_t> mesh_starts, torch::Device device);

// A mesh, and what steps need of it on the device, made when it is first asked for.
class DeviceMesh {
 public:
  DeviceMesh(Mesh mesh, torch::Device device) : mesh_(std::move(mesh)), device_(device), levels_(mesh_.levels.size()) {}

  const Mesh& mesh() const { return mesh_; }
  const EdgeMaps& Edges(int level);
  // Map of a level's vertices to those of the next one, and their shares there, a column.
  const RowMap& Coarser(int level);
  const Tensor& Shares(int level);
  // One row each for a, b, c and d of every set of a level's rings; undefined if it has none.
  const Tensor& Rings(int level);

 private:
  struct OnDevice {
    std::optional<EdgeMaps> edges;
    std::optional<RowMap> coarser;
    Tensor shares, rings;
  };
  Mesh mesh_;
  torch::Device device_;
  std::vector<OnDevice> levels_;
};

// The meshes of a step, one after another.
class Batch {
 public:
  Batch(std::vector<DeviceMesh*> meshes, torch::Device device);
  // Throws std::runtime_error if a mesh has no such level.
  std::shared_ptr<const Graph> Level(int level);
  // The map of a level's vertices to those of the next one, and their shares there, a column.
  const RowMap& Coarser(int level);
  const Tensor& Shares(int level);
  // The edges a, b, c, d around each edge of a level, of one set of its rings; a row of zeros behind all others where
  // there is none. Throws std::runtime_error if a mesh has no such rings there.
  const std::array<RowMap, 4>& Rings(int level, int set);
  torch::Device device() const { return device_; }

 private:
  struct Joined {
    std::shared_ptr<const Graph> graph;  // null as long as nobody asked
    std::unique_ptr<RowMap> coarser;
    Tensor shares;
    std::map<int, std::array<RowMap, 4>> rings;  // by set
  };
  Joined& At(int level);

  std::vector<DeviceMesh*> meshes_;
  torch::Device device_;
  std::vector<std::unique_ptr<Joined>> levels_;
};

}  // namespace sinew_torch

#endif  // SINEW_OFFLINE_LEARN_TORCH_BATCH_H_
