// --precision, of every command that has it.
#ifndef SINEW_TOOLS_SINEW_PRECISION_H_
#define SINEW_TOOLS_SINEW_PRECISION_H_

#include <CLI/CLI.hpp>
#include <string>

#include "sinew/runtime/base/precision.h"

namespace sinew::cli {

inline runtime::Precision ParsePrecision(const std::string& name) {
  if (name == "f32") return runtime::Precision::kF32;
  return name == "f16" ? runtime::Precision::kF16 : runtime::Precision::kI8;
}

inline void AddPrecisionOption(CLI::App* app, std::string& precision, const std::string& description) {
  app->add_option("--precision", precision, description)
      ->check(CLI::IsMember({"f32", "f16", "i8"}))
      ->capture_default_str();
}

}  // namespace sinew::cli

#endif  // SINEW_TOOLS_SINEW_PRECISION_H_
