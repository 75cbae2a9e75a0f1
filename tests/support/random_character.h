// Characters that no artist would make, for properties that must hold for all of them.
#ifndef SINEW_TESTS_SUPPORT_RANDOM_CHARACTER_H_
#define SINEW_TESTS_SUPPORT_RANDOM_CHARACTER_H_

#include <cstdint>
#include <string>

#include "sinew/offline/character/character.h"
#include "sinew/offline/core/random.h"

namespace sinew::testing {

SkinWeights RandomWeights(int vertices, int joints, Random& random);

Animation RandomAnimation(const std::string& name, int joints, Random& random);

// Everything that a Character can say and a glTF can hold. Small.
Character RandomCharacter(uint64_t seed);

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_RANDOM_CHARACTER_H_
