// Escapes text for HTML and SVG.
#ifndef SINEW_OFFLINE_CORE_MARKUP_H_
#define SINEW_OFFLINE_CORE_MARKUP_H_

#include <string>
#include <string_view>

namespace sinew {

// Escapes <, >, & and both quotes, so that they show as themselves, and the text also fits into an attribute.
std::string EscapeMarkup(std::string_view text);

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_MARKUP_H_
