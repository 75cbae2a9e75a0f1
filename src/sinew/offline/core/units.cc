#include "sinew/offline/core/units.h"

#include <fmt/format.h>

#include "sinew/offline/core/error.h"

namespace sinew {
namespace {

struct Unit {
  const char* name;
  double metres;
};
constexpr Unit kUnits[] = {{"m", 1}, {"dm", 0.1}, {"cm", 0.01}, {"mm", 0.001}, {"in", 0.0254}, {"ft", 0.3048}};

}  // namespace

std::vector<std::string> UnitNames() {
  std::vector<std::string> names;
  for (const Unit& unit : kUnits) names.emplace_back(unit.name);
  return names;
}

double MetresPer(std::string_view unit) {
  for (const Unit& known : kUnits) {
    if (unit == known.name) return known.metres;
  }
  throw UsageError(fmt::format("'{}' is not a unit: give m, dm, cm, mm, in or ft", unit));
}

}  // namespace sinew
