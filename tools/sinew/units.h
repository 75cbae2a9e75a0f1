// The units that --unit takes.
#ifndef SINEW_TOOLS_SINEW_UNITS_H_
#define SINEW_TOOLS_SINEW_UNITS_H_

#include <CLI/CLI.hpp>
#include <map>
#include <string>

namespace sinew::cli {

inline const std::map<std::string, double>& Units() {
  static const std::map<std::string, double> units = {
      {"m", 1}, {"cm", 0.01}, {"mm", 0.001}, {"in", 0.0254}, {"ft", 0.3048}};
  return units;
}

inline CLI::Validator UnitNames() { return CLI::IsMember({"m", "cm", "mm", "in", "ft"}); }

// In metres; `otherwise` if none is named.
inline double UnitOr(const std::string& name, double otherwise) { return name.empty() ? otherwise : Units().at(name); }

}  // namespace sinew::cli

#endif  // SINEW_TOOLS_SINEW_UNITS_H_
