// A simple figure with everything that makes embedded characters hard: limbs that taper, legs side by side, hands with
// five fingers a few millimetres apart. Used where the engine is tested and not a kind.
#ifndef SINEW_TESTS_SUPPORT_TEST_FIGURE_H_
#define SINEW_TESTS_SUPPORT_TEST_FIGURE_H_

#include "sinew/offline/embedded/kind.h"

namespace sinew::embedded {

Kind TestKind();

}  // namespace sinew::embedded

#endif  // SINEW_TESTS_SUPPORT_TEST_FIGURE_H_
