// JSON that keeps the order of its keys, so that what passes through us comes out as it went in.
#ifndef SINEW_OFFLINE_CORE_JSON_H_
#define SINEW_OFFLINE_CORE_JSON_H_

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "sinew/offline/core/json_box.h"

namespace sinew {

// Parses text that came from a file. Throws InputError (naming `file`) for text that is not JSON or not UTF-8, for
// numbers outside of double's range, and for what only an attack contains: nesting deeper than 100, an object of over
// 20,000 keys.
Json ParseJson(std::string_view text, const std::string& file);

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_JSON_H_
