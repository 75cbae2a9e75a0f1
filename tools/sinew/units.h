// The units that --unit takes.
#ifndef SINEW_TOOLS_SINEW_UNITS_H_
#define SINEW_TOOLS_SINEW_UNITS_H_

#include <CLI/CLI.hpp>
#include <string>

#include "sinew/offline/io/convert.h"

namespace sinew::cli {

inline CLI::Validator UnitNames() { return CLI::IsMember({"m", "dm", "cm", "mm", "in", "ft"}); }

// In metres; `otherwise` if none is named.
inline double UnitOr(const std::string& name, double otherwise) { return name.empty() ? otherwise : MetresPer(name); }

}  // namespace sinew::cli

#endif  // SINEW_TOOLS_SINEW_UNITS_H_
