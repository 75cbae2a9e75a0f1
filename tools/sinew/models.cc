#include "tools/sinew/models.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <system_error>
#include <vector>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/program_file.h"

namespace sinew::cli {

namespace fs = std::filesystem;

fs::path FindModel(const std::string& name) {
  std::error_code none;
  const fs::path folder = ProgramFile().parent_path();
  std::vector<std::string> places;
  // As cmake --install, scripts/pack and a build folder lay it out.
  for (const char* below : {"../share/sinew/models", "models", "../models", "../../../models"}) {
    const fs::path place = (folder / below / name).lexically_normal();
    if (fs::exists(place, none)) return place;
    places.push_back(place.string());
  }
  throw FailedError(
      fmt::format("the model {} that comes with the program is not there (looked for {}); name one with "
                  "--model, for a build with --set rig.model=FILE",
                  name, fmt::join(places, ", ")));
}

}  // namespace sinew::cli
