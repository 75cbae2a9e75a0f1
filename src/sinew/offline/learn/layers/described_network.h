// Network that is described by JSON: layers one after the other or in any order without a circle, with named tensors.
// A model file holds the description, and one trainer can train all of them. docs/networks.md is about the description.
#ifndef SINEW_OFFLINE_LEARN_LAYERS_DESCRIBED_NETWORK_H_
#define SINEW_OFFLINE_LEARN_LAYERS_DESCRIBED_NETWORK_H_

#include <memory>
#include <string>
#include <vector>

#include "sinew/offline/core/json_box.h"
#include "sinew/offline/core/json_fields.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/learn/layers/described_layers.h"
#include "sinew/offline/learn/model_file.h"

namespace sinew::layers {

// Place of one tensor among all parameters of a network, which are one row of numbers.
struct TensorPlace {
  std::string name;  // name of the layer, a dot, and what it is there: "fc1.weight"
  int rows = 1, columns = 0;
  size_t offset = 0;
  bool trained = true;  // false: statistics of batch normalisation, which no gradient changes

  size_t size() const { return static_cast<size_t>(rows) * static_cast<size_t>(columns); }
};

// What a forward pass leaves behind for the backward pass.
struct NetworkTrace {
  bool training = false;
  RowMatrix input;
  std::vector<LayerTrace> layers;

  const RowMatrix& output() const { return layers.back().output; }
};

class DescribedNetwork {
 public:
  // Throws InputError, naming `file`, for a description that is not one.
  DescribedNetwork(const Json& description, const std::string& file);

  const Json& description() const { return *description_; }
  int inputs() const { return inputs_; }
  int outputs() const { return layers_.back().kind->outputs(); }
  // Columns of the output of one of the layers.
  int WidthOfLayer(size_t layer) const { return layers_.at(layer).kind->outputs(); }
  const std::vector<TensorPlace>& tensors() const { return tensors_; }
  size_t parameter_count() const { return parameter_count_; }  // of all tensors, trained or not
  // One entry per parameter: 1 if gradients change it, 0 if it is a statistic.
  std::vector<uint8_t> TrainedMask() const;
  // Whether a layer works on a graph of vertices, or on the edges of a mesh: the domain must then have one.
  bool needs_graph() const;
  bool needs_rings() const;
  // Number of wide rings that the domain must have.
  int reach() const;
  // Number of coarser levels that the domain must have.
  int coarser_levels() const;
  // Whether the output has a row per row of the input; otherwise one per joint of a skinning pool.
  bool answers_rows() const { return layers_.back().place < 0; }

  // Draws initial parameters: weights after Glorot and Bengio 2010, biases zero, normalisations the identity.
  std::vector<float> InitialParameters(Random& random) const;

  // Evaluates the network with stored statistics. x: one row per vertex or edge, inputs() columns. Throws UsageError if
  // x, the parameters or the domain do not fit.
  RowMatrix Evaluate(std::span<const float> parameters, const ConstRows& x, const Domain& domain) const;
  // The same, and leaves a trace. training: batch normalisation uses the statistics of x.
  NetworkTrace Forward(std::span<const float> parameters, const ConstRows& x, const Domain& domain,
                       bool training) const;
  // Adds the gradients of the parameters for the gradient `dy` of the output, and of the input if `dx` is not null.
  // parameters, domain: those of the forward pass. gradient: parameter_count() numbers; those of tensors that are not
  // trained are left as they are.
  void Backward(std::span<const float> parameters, const NetworkTrace& trace, const Domain& domain, const ConstRows& dy,
                std::span<float> gradient, RowMatrix* dx = nullptr) const;
  // Moves the stored statistics towards those of a forward pass with training = true.
  void UpdateStatistics(const NetworkTrace& trace, std::span<float> parameters) const;

  // Parameters as tensors of a model file, and back. ParametersOf() throws InputError, naming `file`, for a tensor that
  // is missing or of another shape; it ignores others.
  std::vector<learn::Tensor> ToTensors(std::span<const float> parameters, learn::TensorPrecision precision) const;
  std::vector<float> ParametersOf(const learn::Model& model, const std::string& file) const;

 private:
  struct Layer {
    std::string name;
    std::vector<int> from;  // layers that it reads, side by side; -1: the network's input
    std::unique_ptr<LayerKind> kind;
    size_t offset = 0;  // of its first tensor
    int last_user = 0;  // last layer that reads its output, or works inside of what it contracts
    // Layer that made the rows which the input and the output have, by contracting or pooling; -1: those of the
    // network.
    int inside = -1, place = -1;
    int from_level = 0, level = 0;  // levels of the input and the output, 0 for the graph itself
  };

  void AddLayer(const Json& json, const std::string& file);
  void PlaceLayer(int index, Layer& layer, const JsonFields& fields) const;
  bool IsContraction(int layer) const {
    return layer >= 0 && layers_[layer].kind->row_change() == RowChange::kContract;
  }
  LayerContext ContextOf(int index, const Domain& domain, const NetworkTrace& trace) const;
  std::vector<int> Sources(const Json& json, const std::string& file, const std::string& place) const;
  int WidthOf(int layer) const { return layer < 0 ? inputs_ : layers_[layer].kind->outputs(); }
  void Check(std::span<const float> parameters, const ConstRows& x, const Domain& domain) const;
  void RunLayer(int index, std::span<const float> parameters, const Domain& domain, NetworkTrace& trace) const;
  const RowMatrix& InputOf(int index, const NetworkTrace& trace) const;

  JsonBox description_;
  int inputs_ = 0;
  std::vector<Layer> layers_;
  std::vector<TensorPlace> tensors_;
  size_t parameter_count_ = 0;
};

}  // namespace sinew::layers

#endif  // SINEW_OFFLINE_LEARN_LAYERS_DESCRIBED_NETWORK_H_
