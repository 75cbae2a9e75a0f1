// JSON everywhere keeps the order of its keys, so that what passes through us comes out as it went in.
#ifndef SINEW_OFFLINE_CORE_JSON_H_
#define SINEW_OFFLINE_CORE_JSON_H_

#include <nlohmann/json.hpp>

namespace sinew {
using Json = nlohmann::ordered_json;
}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_JSON_H_
