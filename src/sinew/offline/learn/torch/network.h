// A described network on the meshes of a step, and its loss.
//
// Reference: multiresgnet, "Multiresolution Graph Network" for skinning correctives: Eqs. 5, 6 (attention), 8 to 10
// (pooling). Symbols: v rows of a value, W the attention's matrix, target and source the halves of its attention vector
// for a vertex and its neighbour, H the matrix of the self stream.
#ifndef SINEW_OFFLINE_LEARN_TORCH_NETWORK_H_
#define SINEW_OFFLINE_LEARN_TORCH_NETWORK_H_

#include <memory>
#include <vector>

#include "batch.h"
#include "skeleton.h"

namespace sinew_torch {

// Part of the state that one tensor of one layer is.
struct Slot {
  int64_t offset, rows, columns;
  bool trained;        // false: stored statistics
  bool starts_at_one;  // variances of a new network
  bool decays;         // matrices do
  float rate;          // factor of the learning rate
};

// A layer as it is kept, and where its tensors are.
struct Layer {
  SinewTorchLayer given;
  std::vector<int> inputs;
  int width = 0;           // columns of its output
  int first = 0;           // its first slot
  Skeleton skeleton = {};  // of a layer that works on one
};

// Stored statistics that a step will leave.
struct Statistics {
  int slot;
  Tensor value;
};

// Rows of a value, and what they are.
struct Value {
  Tensor rows;
  std::shared_ptr<const Graph> graph;  // of joints, one without edges
  int level;                           // of the meshes; meaningless inside of a contraction and for joints
};

class Network {
 public:
  // Throws std::runtime_error if the layers do not fit together.
  Network(const SinewTorchLayer* layers, int layer_count, int inputs, torch::Device device);

  int outputs() const { return layers_.back().width; }
  const std::vector<Slot>& slots() const { return slots_; }
  int64_t size() const;
  // Rows of the output for a mesh of so many vertices.
  int64_t RowsOf(int64_t vertices) const { return joints_ > 0 ? joints_ : vertices; }

  // Appends a tensor that no layer has to the state.
  void AddOwn(int64_t rows, int64_t columns, bool decays, float rate) {
    slots_.push_back({size(), rows, columns, true, false, decays, rate});
  }

  // Output of the network. tensors: one per slot. statistics: where the rows' own statistics are put while training;
  // null: stored ones are used.
  Value Run(const std::vector<Tensor>& tensors, const Tensor& features, Batch& batch, double momentum,
            std::vector<Statistics>* statistics) const;

 private:
  struct Pass;
  void AddSlot(const Layer& layer, int64_t rows, int64_t columns, bool trained = true, bool starts_at_one = false);
  void AddSlots(const Layer& layer, int inputs);
  int WidthOf(int value) const { return value == 0 ? inputs_ : layers_[value - 1].width; }
  Layer Check(const SinewTorchLayer& given, int number) const;

  int inputs_;
  int joints_ = 0;  // that the output has a row for each of; 0: one per vertex
  std::vector<Layer> layers_;
  std::vector<Slot> slots_;
};

// Terms of the loss of SinewTorchOptions, whose sum it is, for weights whose sum is one per mesh: a row per row of the
// output.
Tensor LossTerms(const Value& outputs, const Tensor& targets, const Tensor& weights, double huber, double edges);
// Sum of all terms of some rows.
Tensor SumOfTerms(const Tensor& terms);

}  // namespace sinew_torch

#endif  // SINEW_OFFLINE_LEARN_TORCH_NETWORK_H_
