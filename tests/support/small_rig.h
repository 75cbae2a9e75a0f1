// A small biped and a rigging network that has learned nothing, for tests of everything around the network.
#ifndef SINEW_TESTS_SUPPORT_SMALL_RIG_H_
#define SINEW_TESTS_SUPPORT_SMALL_RIG_H_

#include "sinew/offline/autorig/rig_network.h"
#include "sinew/offline/character/character.h"

namespace sinew::testing {

// The embedded biped with 1,500 vertices, made once.
const Character& SmallBiped();
// The same as a mesh: no skeleton, no weights.
Character WithoutRig(const Character& character);

// A model of the network "small", or of another one, with random parameters. limit: doubt up to which it takes a mesh
// for a biped; large enough that nothing is refused, or small enough that everything is.
learn::Model UntrainedRigModel(double limit, const autorig::NetworkChoice& choice = {.blocks = "small"});

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_SMALL_RIG_H_
