// The kinds of embedded characters that there are.
#ifndef SINEW_OFFLINE_EMBEDDED_KINDS_H_
#define SINEW_OFFLINE_EMBEDDED_KINDS_H_

#include <string_view>
#include <vector>

#include "sinew/offline/embedded/kind.h"

namespace sinew::embedded {

// In the order in which help lists them.
const std::vector<Kind>& Kinds();
// Throws UsageError that lists what there is.
const Kind& FindKind(std::string_view name);

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_KINDS_H_
