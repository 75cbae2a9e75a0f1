// A described network on the meshes of a step, and its loss.
//
// Reference: multiresgnet, "Multiresolution Graph Network" for skinning correctives: Eqs. 5, 6 (attention), 8 to 10
// (pooling). Symbols: v rows of a value, W the attention's matrix, target and source the halves of its attention vector
// for a vertex and its neighbour, H the matrix of the self stream.
#ifndef SINEW_OFFLINE_LEARN_TORCH_NETWORK_H_
#define SINEW_OFFLINE_LEARN_TORCH_NETWORK_H_

#include <torch/types.h>

#include <memory>
#include <vector>

#include "adjacency.h"

namespace sinew_torch {

using torch::Tensor;

// For each row of one matrix a row of another: who takes from where, and, the other way, who adds up what.
struct RowMap {
  Tensor index;          // per row: row of the other; on the device
  Tensor starts, order;  // per row of the other: rows of this one that map to it, ascending; on the CPU
};
RowMap MakeRowMap(const std::vector<int64_t>& index, int64_t targets, torch::Device device);

// The graph that a value's rows are the vertices of.
struct Graph {
  Adjacency adjacency;
  RowMap rows, columns;            // per edge, self-edges included
  EdgeList bare_edges;             // without self-edges
  RowMap bare_rows, bare_columns;  // per edge of these
};
std::shared_ptr<const Graph> MakeGraph(Adjacency adjacency, torch::Device device);

// The meshes of a step, one after another.
class Batch {
 public:
  Batch(std::vector<const Mesh*> meshes, torch::Device device);
  // Throws std::runtime_error if a mesh has no such level.
  std::shared_ptr<const Graph> Level(int level);
  // The map of a level's vertices to those of the next one.
  const RowMap& Coarser(int level);

 private:
  std::vector<const Mesh*> meshes_;
  torch::Device device_;
  std::vector<std::shared_ptr<const Graph>> graphs_;  // per level; null as long as nobody asked
  std::vector<std::unique_ptr<RowMap>> maps_;
};

// Part of the state that one tensor of one layer is.
struct Slot {
  int64_t offset, rows, columns;
  bool trained;        // false: stored statistics
  bool starts_at_one;  // variances of a new network
  bool decays;         // matrices do
};

// A layer as it is kept, and where its tensors are.
struct Layer {
  SinewTorchLayer given;
  std::vector<int> inputs;
  int width = 0;  // columns of its output
  int first = 0;  // its first slot
};

// Stored statistics that a step will leave.
struct Statistics {
  int slot;
  Tensor value;
};

class Network {
 public:
  // Throws std::runtime_error if the layers do not fit together.
  Network(const SinewTorchLayer* layers, int layer_count, int inputs);

  int outputs() const { return layers_.back().width; }
  const std::vector<Slot>& slots() const { return slots_; }
  int64_t size() const;

  // Output of the network. tensors: one per slot. statistics: where the rows' own statistics are put while training;
  // null: stored ones are used.
  Tensor Run(const std::vector<Tensor>& tensors, const Tensor& features, Batch& batch, double momentum,
             std::vector<Statistics>* statistics) const;

 private:
  struct Pass;
  void AddSlot(int64_t rows, int64_t columns, bool trained = true, bool starts_at_one = false);
  void AddSlots(const Layer& layer, int inputs);
  int WidthOf(int value) const { return value == 0 ? inputs_ : layers_[value - 1].width; }
  Layer Check(const SinewTorchLayer& given, int number) const;

  int inputs_;
  std::vector<Layer> layers_;
  std::vector<Slot> slots_;
};

// Loss of SinewTorchOptions, for weights whose sum is one per mesh.
Tensor Loss(const Tensor& outputs, const Tensor& targets, const Tensor& weights, const Graph& graph, double huber,
            double edges);

}  // namespace sinew_torch

#endif  // SINEW_OFFLINE_LEARN_TORCH_NETWORK_H_
