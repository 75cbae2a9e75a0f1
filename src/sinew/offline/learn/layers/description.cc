#include "sinew/offline/learn/layers/description.h"

#include <utility>

namespace sinew::layers {

Description::Description(int inputs) : json_{{"inputs", inputs}, {"layers", Json::array()}} {}

std::string Description::Add(Json layer, const std::vector<std::string>& from, const std::string& name) {
  layer["name"] = name;
  layer["from"] = from;
  json_["layers"].push_back(std::move(layer));
  return name;
}

std::string Description::Linear(const std::vector<std::string>& from, int outputs, const std::string& name) {
  return Add({{"kind", "linear"}, {"outputs", outputs}}, from, name);
}

std::string Description::Activation(const std::string& from, const std::string& kind, bool normalised) {
  const std::string before = normalised ? Add({{"kind", "batch_norm"}}, {from}, from + ".norm") : from;
  return Add({{"kind", kind}}, {before}, from + "." + kind);
}

}  // namespace sinew::layers
