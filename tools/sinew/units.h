// The units that --unit takes.
#ifndef SINEW_TOOLS_SINEW_UNITS_H_
#define SINEW_TOOLS_SINEW_UNITS_H_

#include <CLI/CLI.hpp>
#include <string>

#include "sinew/offline/core/units.h"

namespace sinew::cli {

inline CLI::Validator IsUnit() { return CLI::IsMember(UnitNames()); }

// In metres; `otherwise` if none is named.
inline double UnitOr(const std::string& name, double otherwise) { return name.empty() ? otherwise : MetresPer(name); }

}  // namespace sinew::cli

#endif  // SINEW_TOOLS_SINEW_UNITS_H_
