// Initial field of the optimisation (section 3.4), and the simple methods that it is compared with.
#ifndef SINEW_OFFLINE_SKINCELLS_INIT_FIELD_H_
#define SINEW_OFFLINE_SKINCELLS_INIT_FIELD_H_

#include <cstdint>
#include <span>

#include "sinew/offline/skincells/bones.h"
#include "sinew/offline/skincells/field.h"

namespace sinew::skincells {

struct InitOptions {
  int l = 4;      // most influences per point
  int sites = 6;  // m, sites per joint
  uint64_t seed = 1;
};

// Makes one cell per joint. Its sites lie along the joint's bone if the joint has one child or none, and in the convex
// hull of the joint and its children if there are more.
SkinField InitialField(const Subject& subject, std::span<const Bone> bones, const InitOptions& options);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_INIT_FIELD_H_
