#include "sinew/offline/inspect/inspect_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sinew/offline/core/json_text.h"
#include "sinew/offline/core/text.h"
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

constexpr size_t kLongestList = 32;  // that is shown whole
constexpr size_t kFirstOfList = 3;   // entries shown of a longer one

bool IsPlain(const Json& value) { return !value.is_structured(); }

std::string PlainText(const Json& value) {
  if (value.is_string()) return PrintableLine(value.get<std::string>());
  if (value.is_number_float()) return fmt::format("{:.5g}", value.get<double>());
  return JsonText(value);
}

std::string ListText(const Json& list) {
  const size_t shown = list.size() <= kLongestList ? list.size() : kFirstOfList;
  std::vector<std::string> texts;
  for (size_t k = 0; k < shown; ++k) texts.push_back(IsPlain(list[k]) ? PlainText(list[k]) : JsonText(list[k]));
  const std::string text = fmt::format("{}", fmt::join(texts, ", "));
  return shown == list.size() ? text : fmt::format("{} entries: {}, ...", list.size(), text);
}

// Rows of a table of facts, and their texts.
struct Facts {
  std::vector<std::vector<std::string>> names;
  std::vector<std::string> texts;
  void Add(const std::string& name, const std::string& text) {
    names.push_back({PrintableLine(name)});
    texts.push_back(text);
  }
};

// An object below the first level takes one row for all that is plain in it, and one for each list and object.
void AddObject(const std::string& path, const Json& object, Facts& facts) {
  std::vector<std::string> plain;
  for (const auto& [key, value] : object.items()) {
    if (!IsPlain(value)) continue;
    if (path.empty()) facts.Add(key, PlainText(value));
    plain.push_back(fmt::format("{} {}", PrintableLine(key), PlainText(value)));
  }
  if (!path.empty() && !plain.empty()) facts.Add(path, fmt::format("{}", fmt::join(plain, ", ")));
  for (const auto& [key, value] : object.items()) {
    const std::string below = path.empty() ? key : fmt::format("{}.{}", path, key);
    if (value.is_object()) AddObject(below, value, facts);
    if (value.is_array()) facts.Add(below, ListText(value));
  }
}

std::string ObjectText(const char* heading, const Json& object) {
  Facts facts;
  AddObject("", object, facts);
  return facts.names.empty() ? "" : fmt::format("\n{}\n{}", heading, TextTable(facts.names, facts.texts));
}

// Whether it is a description of docs/networks.md, as far as that matters here.
bool HasLayers(const Json& architecture) {
  const auto layers = architecture.find("layers");
  if (layers == architecture.end() || !layers->is_array()) return false;
  return std::all_of(layers->begin(), layers->end(), [](const Json& layer) { return layer.is_object(); });
}

// One row per layer: name, kind, and what else is said of it.
std::string NetworkText(const Json& architecture) {
  if (!HasLayers(architecture)) return ObjectText("Network", architecture);
  std::vector<std::vector<std::string>> rows = {{"layer", "kind"}};
  std::vector<std::string> texts = {"with"};
  for (const Json& layer : architecture["layers"]) {
    Facts facts;
    Json rest = layer;
    for (const char* known : {"name", "kind"}) rest.erase(known);
    AddObject("", rest, facts);
    std::vector<std::string> said;
    for (size_t k = 0; k < facts.texts.size(); ++k) said.push_back(facts.names[k][0] + " " + facts.texts[k]);
    const auto word = [&layer](const char* key, const std::string& otherwise) {
      return layer.contains(key) ? PlainText(layer[key]) : otherwise;
    };
    rows.push_back({word("name", fmt::format("{}", rows.size() - 1)), word("kind", "")});
    texts.push_back(fmt::format("{}", fmt::join(said, "; ")));
  }
  Json rest = architecture;
  rest.erase("layers");
  return ObjectText("Network", rest) + "\n" + TextTable(rows, texts);
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
  out += ObjectText("Figures", *model.figures);
  out += ObjectText("Settings", *model.settings);
  out += NetworkText(*model.architecture);
  if (!model.tensors.empty()) {
    out += '\n';
    out += TensorTable(model.tensors);
  }
  return out + FindingsText({});  // what could be found wrong, the reader refuses
}

}  // namespace sinew::inspect
