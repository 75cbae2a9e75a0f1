// Random weight fields, for tests that hold for all of them.
#ifndef SINEW_TESTS_SUPPORT_SKIN_FIELDS_H_
#define SINEW_TESTS_SUPPORT_SKIN_FIELDS_H_

#include <Eigen/Core>
#include <cstdint>

#include "sinew/offline/core/random.h"
#include "sinew/offline/skincells/field.h"

namespace sinew::testing {

Eigen::Vector3d RandomPoint(Random& random, double most = 1);

// A chain of joints with one cell each.
skincells::SkinField RandomField(uint64_t seed, int joints, int sites, int l, double c = 0);

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_SKIN_FIELDS_H_
