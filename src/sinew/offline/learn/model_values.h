// Values that a model file holds beside the tensors of its network, such as scalings.
#ifndef SINEW_OFFLINE_LEARN_MODEL_VALUES_H_
#define SINEW_OFFLINE_LEARN_MODEL_VALUES_H_

#include <string>
#include <vector>

#include "sinew/offline/learn/model_file.h"
#include "sinew/offline/learn/network.h"

namespace sinew::learn {

// Returns numbers as a tensor of one dimension. values: at least one.
template <typename Numbers>
Tensor ToVector(const std::string& name, const Numbers& values) {
  Tensor tensor{name, {static_cast<int>(std::size(values))}, {}};
  for (const auto value : values) tensor.values.push_back(static_cast<float>(value));
  return tensor;
}

// Returns the numbers of a tensor. Throws InputError, naming `file` and what to do, unless there is one of `count`
// numbers.
const std::vector<float>& TakeVector(const Model& model, const std::string& name, size_t count, const std::string& file,
                                     const std::string& remedy);

// Puts a network into a model, as tensors PREFIX.W1 to PREFIX.b3.
void PutNetwork(const Network& network, const std::string& prefix, Model& model);
// Returns whether a model has a network of that prefix.
bool HasNetwork(const Model& model, const std::string& prefix);
// Returns such a network. Throws InputError, naming `file`, unless it is whole and has these inputs and outputs.
Network TakeNetwork(const Model& model, const std::string& prefix, int inputs, int outputs, const std::string& file);

}  // namespace sinew::learn

#endif  // SINEW_OFFLINE_LEARN_MODEL_VALUES_H_
