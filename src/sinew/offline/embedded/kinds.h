// List of all kinds of embedded characters.
#ifndef SINEW_OFFLINE_EMBEDDED_KINDS_H_
#define SINEW_OFFLINE_EMBEDDED_KINDS_H_

#include <string_view>
#include <vector>

#include "sinew/offline/embedded/kind.h"

namespace sinew::embedded {

// Returns all kinds, in the order in which the help text lists them.
const std::vector<Kind>& Kinds();
// Returns the kind of this name. Throws UsageError with a list of all names if there is none.
const Kind& FindKind(std::string_view name);

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_KINDS_H_
