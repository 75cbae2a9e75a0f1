// Writes JSON as text.
#ifndef SINEW_OFFLINE_CORE_JSON_TEXT_H_
#define SINEW_OFFLINE_CORE_JSON_TEXT_H_

#include <string>

#include "sinew/offline/core/json.h"

namespace sinew {

// Returns the JSON as text. Names and file names may hold any bytes: what is not UTF-8 becomes U+FFFD, where the
// library's own function throws. indent: spaces per level; -1: all on one line.
std::string JsonText(const Json& json, int indent = -1);

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_JSON_TEXT_H_
