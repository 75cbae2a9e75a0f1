#include "sinew/offline/inspect/inspect_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sinew/offline/core/json_text.h"
#include "sinew/offline/inspect/report_text.h"

namespace sinew::inspect {
namespace {

const char* NameOf(learn::TensorPrecision precision) {
  return precision == learn::TensorPrecision::kHalf ? "f16" : "f32";
}

std::string OrNone(const std::string& text) { return text.empty() ? "none" : text; }

std::string TensorTable(const std::vector<learn::Tensor>& tensors) {
  std::vector<std::vector<std::string>> rows = {{"tensor", "shape", "type", "smallest", "largest"}};
  for (const learn::Tensor& tensor : tensors) {
    const auto [low, high] = std::minmax_element(tensor.values.begin(), tensor.values.end());
    rows.push_back({tensor.name, fmt::format("{}", fmt::join(tensor.shape, " x ")), NameOf(tensor.precision),
                    fmt::format("{:.4g}", *low), fmt::format("{:.4g}", *high)});
  }
  return TextTable(rows);
}

}  // namespace

Json ToJson(const learn::Model& model) {
  Json tensors = Json::array();
  for (const learn::Tensor& tensor : model.tensors) {
    const auto [low, high] = std::minmax_element(tensor.values.begin(), tensor.values.end());
    tensors.push_back({{"name", tensor.name},
                       {"shape", tensor.shape},
                       {"type", NameOf(tensor.precision)},
                       {"min", *low},
                       {"max", *high}});
  }
  return {{"kind", "model"},
          {"licence", model.licence},
          {"corpus", model.corpus_hash},
          {"recipe", model.recipe_hash},
          {"parameters", model.entry_count()},
          {"architecture", *model.architecture},
          {"settings", *model.settings},
          {"figures", *model.figures},
          {"tensors", tensors},
          {"findings", FindingsJson({})}};
}

std::string ToText(const learn::Model& model) {
  std::string out = FactLine("kind", "trained network");
  out += FactLine("licence", model.licence);
  out += FactLine("size", fmt::format("{} parameters in {} tensors", model.entry_count(), model.tensors.size()));
  out += FactLine("corpus", OrNone(model.corpus_hash));
  out += FactLine("recipe", OrNone(model.recipe_hash));
  out += FactLine("figures", JsonText(*model.figures));
  out += FactLine("settings", JsonText(*model.settings));
  out += FactLine("network", JsonText(*model.architecture));
  if (!model.tensors.empty()) {
    out += '\n';
    out += TensorTable(model.tensors);
  }
  return out + FindingsText({});  // what could be found wrong, the reader refuses
}

}  // namespace sinew::inspect
