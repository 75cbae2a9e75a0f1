#include "sinew/offline/core/json_text.h"

namespace sinew {

std::string JsonText(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace sinew
