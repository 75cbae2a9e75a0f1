// A whole character that is made in a moment: the procedural body skeleton inside one closed, egg-shaped skin.
#ifndef SINEW_TESTS_SUPPORT_TEST_CHARACTER_H_
#define SINEW_TESTS_SUPPORT_TEST_CHARACTER_H_

#include <vector>

#include "sinew/offline/character/character.h"
#include "tests/support/rigs.h"

namespace sinew::testing {

// Each vertex goes with the two joints nearest to it.
SkinWeights NearestWeights(const Points& points, const std::vector<Eigen::Affine3f>& joints);

// Stands 1.9 m tall for options.height 1.7; Y up whatever options.z_up says is wrong with the skeleton's own axes.
Character TestCharacter(const RigOptions& options = {});

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_TEST_CHARACTER_H_
