// The option --size of commands that draw.
#ifndef SINEW_TOOLS_SINEW_PANEL_SIZE_H_
#define SINEW_TOOLS_SINEW_PANEL_SIZE_H_

#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "sinew/offline/core/error.h"

namespace sinew::cli {

// Size of one panel in pixels. width 0: as wide as its contents need.
struct PanelSize {
  int width = 0, height = 900;
};

// Parses "900x1000", or "1000" for the height alone; an empty text is the default.
inline PanelSize ParsePanelSize(const std::string& text) {
  if (text.empty()) return {};
  int width = 0, height = 0, used = 0;
  const char* c = text.c_str();
  const bool both = std::sscanf(c, "%dx%d%n", &width, &height, &used) == 2 && c[used] == '\0';
  const bool one = !both && std::sscanf(c, "%d%n", &height, &used) == 1 && c[used] == '\0';
  if ((!both && !one) || height < 64 || height > 8192 || (both && (width < 64 || width > 8192))) {
    throw UsageError(
        fmt::format("--size {}: not a size; give WIDTHxHEIGHT of one panel, such as 900x1000, or its HEIGHT "
                    "alone, in pixels from 64 to 8192",
                    text));
  }
  return {both ? width : 0, height};
}

}  // namespace sinew::cli

#endif  // SINEW_TOOLS_SINEW_PANEL_SIZE_H_
