#include "sinew/offline/learn/model_values.h"

#include <fmt/format.h>

#include "sinew/offline/core/error.h"

namespace sinew::learn {

const std::vector<float>& TakeVector(const Model& model, const std::string& name, size_t count, const std::string& file,
                                     const std::string& remedy) {
  const Tensor* const tensor = model.Find(name);
  if (tensor == nullptr || tensor->values.size() != count) {
    throw InputError(file, name, fmt::format("is not there with {} numbers", count), remedy);
  }
  return tensor->values;
}

}  // namespace sinew::learn
