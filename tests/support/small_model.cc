#include "tests/support/small_model.h"

#include "sinew/offline/core/json.h"

namespace sinew::testing {
namespace {

// Values that both precisions hold exactly.
learn::Tensor Ramp(const std::string& name, std::vector<int> shape, learn::TensorPrecision precision) {
  learn::Tensor tensor{.name = name, .shape = std::move(shape), .values = {}, .precision = precision};
  for (size_t k = 0; k < learn::EntryCount(tensor.shape); ++k) {
    tensor.values.push_back(static_cast<float>(static_cast<int>(k) - 5) / 8);
  }
  return tensor;
}

}  // namespace

learn::Model SmallModel() {
  learn::Model model;
  *model.architecture = {{"inputs", 3},
                         {"layers",
                          {{{"name", "hidden"}, {"kind", "linear"}, {"outputs", 4}},
                           {{"kind", "elu"}},
                           {{"name", "out"}, {"kind", "linear"}, {"outputs", 2}}}}};
  *model.settings = {{"seed", 7}, {"rate", 0.01}};
  model.corpus_hash = "00112233445566778899aabbccddeeff";
  model.recipe_hash = "ffeeddccbbaa99887766554433221100";
  model.licence = "CC0-1.0";
  *model.figures = {{"test", {{"rms_mm", 1.25}, {"share_of_lbs", 0.5}}}};
  model.tensors = {
      Ramp("hidden.weight", {3, 4}, learn::TensorPrecision::kFloat),
      Ramp("hidden.bias", {1, 4}, learn::TensorPrecision::kHalf),
      Ramp("out.weight", {4, 2}, learn::TensorPrecision::kFloat),
      {.name = "out.bias", .shape = {1, 2}, .values = {0.25f, -0.5f}, .precision = learn::TensorPrecision::kFloat}};
  return model;
}

}  // namespace sinew::testing
