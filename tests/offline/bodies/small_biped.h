// The embedded biped with few vertices, made once for all tests of the program.
#ifndef SINEW_TESTS_OFFLINE_BODIES_SMALL_BIPED_H_
#define SINEW_TESTS_OFFLINE_BODIES_SMALL_BIPED_H_

#include <cstdint>

#include "sinew/offline/embedded/kinds.h"
#include "sinew/offline/embedded/make_character.h"

namespace sinew::bodies {

inline const embedded::CharacterMaker& SmallMaker() {
  static const embedded::CharacterMaker maker(embedded::FindKind("biped"), 3000);
  return maker;
}

// Neutral for seed 0, else of random shape.
inline Character SmallBiped(uint64_t seed = 0) {
  const auto& parameters = embedded::FindKind("biped").parameters;
  return SmallMaker().Make(seed == 0 ? embedded::Shape(parameters) : embedded::RandomShape(parameters, seed));
}

}  // namespace sinew::bodies

#endif  // SINEW_TESTS_OFFLINE_BODIES_SMALL_BIPED_H_
