#include "sinew/offline/graphnet/body_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/core/json_fields.h"

namespace sinew::graphnet {
namespace {

constexpr const char* kRemedy = "train it again with `sinew learn train`";
constexpr float kMaxEdge = 0.2f;  // of the body's size: a level of some dozens of points

template <typename Choice>
Choice ChoiceOf(const JsonFields& fields, const char* key, const std::vector<std::string>& names) {
  const std::string name = fields.String(key);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) fields.Fail(fmt::format("\"{}\" is \"{}\", which this program does not know", key, name));
  return static_cast<Choice>(found - names.begin());
}

}  // namespace

const std::vector<std::string>& FeatureNames() {
  static const std::vector<std::string> names = {"paper", "positions", "joints", "cues"};
  return names;
}

const std::vector<std::string>& AnswerNames() {
  static const std::vector<std::string> names = {"body", "limb"};
  return names;
}

Json JsonOf(const BodyOptions& options) {
  return {{"features", FeatureNames()[static_cast<size_t>(options.features)]},
          {"answers", AnswerNames()[static_cast<size_t>(options.answers)]},
          {"working_edge", options.working_edge},
          {"coarser_levels", options.coarser_levels}};
}

BodyOptions BodyOptionsOf(const Json& json, const std::string& file) {
  if (json.is_object() && json.empty()) return {};
  const JsonFields fields(json, file, "settings: body", kRemedy);
  BodyOptions options;
  options.features = ChoiceOf<Features>(fields, "features", FeatureNames());
  options.answers = ChoiceOf<Answers>(fields, "answers", AnswerNames());
  const float edge = fields.Number("working_edge");
  if (!(edge >= 0 && edge <= kMaxEdge)) fields.Fail(fmt::format("\"working_edge\" is not within 0 and {}", kMaxEdge));
  options.working_edge = json["working_edge"].get<double>();
  constexpr int kMaxLevels = 8;
  options.coarser_levels = static_cast<int>(fields.Integer("coarser_levels", 0, kMaxLevels));
  return options;
}

}  // namespace sinew::graphnet
