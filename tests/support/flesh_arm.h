// The simplest body that bends: a round bar along X with two joints, one at its end and one in its middle.
#ifndef SINEW_TESTS_SUPPORT_FLESH_ARM_H_
#define SINEW_TESTS_SUPPORT_FLESH_ARM_H_

#include "sinew/offline/character/character.h"

namespace sinew::testing {

// 1 m long with round ends, from x = -0.5 to 0.5; weights change over one thickness.
Character FleshArm(float radius = 0.12f, int around = 24, int rings = 32);

// The lower half turned about Z.
Pose BentArm(const Character& arm, double degrees);

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_FLESH_ARM_H_
