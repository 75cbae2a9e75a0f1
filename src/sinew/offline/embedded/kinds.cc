#include "sinew/offline/embedded/kinds.h"

#include <fmt/format.h>

#include "sinew/offline/core/error.h"
#include "sinew/offline/embedded/biped.h"
#include "sinew/offline/embedded/cartoon.h"
#include "sinew/offline/embedded/hand.h"
#include "sinew/offline/embedded/quadruped.h"
#include "sinew/offline/embedded/skirt.h"

namespace sinew::embedded {

const std::vector<Kind>& Kinds() {
  static const std::vector<Kind> kinds = {BipedKind(), CartoonKind(), QuadrupedKind(), HandKind(), SkirtKind()};
  return kinds;
}

const Kind& FindKind(std::string_view name) {
  std::string names;
  for (const Kind& kind : Kinds()) {
    if (kind.name == name) return kind;
    names += (names.empty() ? "" : ", ") + kind.name;
  }
  throw UsageError(fmt::format("no embedded character is called '{}'; there are: {}", name, names));
}

}  // namespace sinew::embedded
