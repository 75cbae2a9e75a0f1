#include "sinew/offline/embedded/kind.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/random.h"

namespace sinew::embedded {

Shape::Shape(const std::vector<ShapeParameter>& parameters) : parameters_(parameters) {
  for (const ShapeParameter& parameter : parameters) values_.push_back(parameter.neutral);
}

int Shape::Find(std::string_view name) const {
  std::string names;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    if (parameters_[i].name == name) return static_cast<int>(i);
    names += (i == 0 ? "" : ", ") + parameters_[i].name;
  }
  throw UsageError(fmt::format("no shape parameter is called '{}'; there are: {}", name, names));
}

void Shape::Set(std::string_view name, double value) {
  const int i = Find(name);
  const ShapeParameter& parameter = parameters_[i];
  if (!(value >= parameter.low && value <= parameter.high)) {
    throw UsageError(fmt::format("shape parameter '{}' is {}, outside its range; give {} to {}", name, value,
                                 parameter.low, parameter.high));
  }
  values_[i] = value;
}

double Shape::operator()(std::string_view name) const { return values_[Find(name)]; }

Shape RandomShape(const std::vector<ShapeParameter>& parameters, uint64_t seed) {
  Shape shape(parameters);
  for (size_t i = 0; i < parameters.size(); ++i) {
    const ShapeParameter& parameter = parameters[i];
    Random random(seed, i);
    double value = parameter.low - 1;
    while (!(value >= parameter.low && value <= parameter.high)) {
      value = parameter.neutral + parameter.spread * random.Normal();
    }
    shape.Set(parameter.name, value);
  }
  return shape;
}

Shape VariedShape(const Kind& kind, uint64_t seed) {
  if (kind.varied.empty()) return RandomShape(kind.parameters, seed);
  std::vector<ShapeParameter> parameters = kind.varied;
  if (!kind.builds.empty()) {
    // A stream of its own: those of the parameters are numbered from 0.
    Random random(seed, parameters.size());
    for (const auto& [name, value] : kind.builds[random.Below(static_cast<uint32_t>(kind.builds.size()))].values) {
      const auto found = std::find_if(parameters.begin(), parameters.end(),
                                      [&wanted = name](const auto& parameter) { return parameter.name == wanted; });
      found->neutral = value;
    }
  }
  return RandomShape(parameters, seed);
}

}  // namespace sinew::embedded
