// Where the optimisation starts (section 3.4), and the simple methods that it is compared with.
#ifndef SINEW_OFFLINE_SKINCELLS_INIT_FIELD_H_
#define SINEW_OFFLINE_SKINCELLS_INIT_FIELD_H_

#include <cstdint>
#include <span>

#include "sinew/offline/skincells/bones.h"
#include "sinew/offline/skincells/field.h"

namespace sinew::skincells {

struct InitOptions {
  int l = 4;
  int sites = 6;  // m, per joint
  uint64_t seed = 1;
};

// Sites along the bone of a joint with one child or none, in the hull of a joint and its children if there are more.
SkinField InitialField(const Subject& subject, std::span<const Bone> bones, const InitOptions& options);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_INIT_FIELD_H_
