// Names of precisions and pose features, as settings, files and command lines spell them.
#ifndef SINEW_OFFLINE_TABLES_NAMES_H_
#define SINEW_OFFLINE_TABLES_NAMES_H_

#include <string>
#include <string_view>
#include <vector>

#include "sinew/runtime/base/precision.h"
#include "sinew/runtime/pose/features.h"

namespace sinew::tables {

// Returns "f32", "f16" or "i8".
const char* NameOf(runtime::Precision precision);
// Inverse of NameOf(); throws UsageError, which lists the valid names, for any other word.
runtime::Precision PrecisionNamed(std::string_view name);
std::vector<std::string> PrecisionNames();

// Returns "quaternion", "columns" or "euler".
const char* NameOf(runtime::PoseFeatures features);
// Inverse of NameOf(); throws UsageError, which lists the valid names, for any other word.
runtime::PoseFeatures PoseFeaturesNamed(std::string_view name);
std::vector<std::string> PoseFeaturesNames();

}  // namespace sinew::tables

#endif  // SINEW_OFFLINE_TABLES_NAMES_H_
