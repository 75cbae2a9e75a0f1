#include "sinew/offline/learn/model_values.h"

#include <fmt/format.h>

#include "sinew/offline/core/error.h"
#include "sinew/offline/learn/dense.h"

namespace sinew::learn {

const std::vector<float>& TakeVector(const Model& model, const std::string& name, size_t count, const std::string& file,
                                     const std::string& remedy) {
  const Tensor* const tensor = model.Find(name);
  if (tensor == nullptr || tensor->values.size() != count) {
    throw InputError(file, name, fmt::format("is not there with {} numbers", count), remedy);
  }
  return tensor->values;
}

void PutNetwork(const Network& network, const std::string& prefix, Model& model) {
  const auto add = [&](const char* tensor, const Eigen::MatrixXf& numbers) {
    const RowMatrix rows = numbers;
    std::vector<int> shape = {static_cast<int>(rows.rows()), static_cast<int>(rows.cols())};
    if (rows.cols() == 1) shape.pop_back();
    model.tensors.push_back({prefix + "." + tensor, shape, {rows.data(), rows.data() + rows.size()}});
  };
  add("W1", network.W1);
  add("b1", network.b1);
  add("W2", network.W2);
  add("b2", network.b2);
  add("W3", network.W3);
  add("b3", network.b3);
}

bool HasNetwork(const Model& model, const std::string& prefix) { return model.Find(prefix + ".W1") != nullptr; }

Network TakeNetwork(const Model& model, const std::string& prefix, int inputs, int outputs, const std::string& file) {
  const Tensor* const first = model.Find(prefix + ".W1");
  const int width = first == nullptr || first->shape.empty() ? 0 : first->shape[0];
  const auto take = [&](const char* tensor, int rows, int columns) -> Eigen::MatrixXf {
    const std::vector<float>& values =
        TakeVector(model, prefix + "." + tensor, size_t(rows) * size_t(columns), file, "train it again");
    return Eigen::Map<const RowMatrix>(values.data(), rows, columns);
  };
  return {take("W1", width, inputs), take("W2", width, width), take("W3", outputs, width),
          take("b1", width, 1),      take("b2", width, 1),     take("b3", outputs, 1)};
}

}  // namespace sinew::learn
