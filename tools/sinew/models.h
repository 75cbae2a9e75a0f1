// Models that come with the program.
#ifndef SINEW_TOOLS_SINEW_MODELS_H_
#define SINEW_TOOLS_SINEW_MODELS_H_

#include <filesystem>
#include <string>

namespace sinew::cli {

// Returns the path of a model that ships: beside an installed, a packed or a freshly built program. Throws FailedError
// if it is nowhere, with all places.
std::filesystem::path FindModel(const std::string& name);

}  // namespace sinew::cli

#endif  // SINEW_TOOLS_SINEW_MODELS_H_
