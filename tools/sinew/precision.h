// --precision, of every command that has it.
#ifndef SINEW_TOOLS_SINEW_PRECISION_H_
#define SINEW_TOOLS_SINEW_PRECISION_H_

#include <CLI/CLI.hpp>
#include <string>

#include "sinew/offline/tables/names.h"

namespace sinew::cli {

inline void AddPrecisionOption(CLI::App* app, std::string& precision, const std::string& description) {
  app->add_option("--precision", precision, description)
      ->check(CLI::IsMember(tables::PrecisionNames()))
      ->capture_default_str();
}

}  // namespace sinew::cli

#endif  // SINEW_TOOLS_SINEW_PRECISION_H_
