// Mixtures of bodies that share one topology: new bodies that none of their parents is.
#ifndef SINEW_OFFLINE_BODIES_MIX_BODIES_H_
#define SINEW_OFFLINE_BODIES_MIX_BODIES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/offline/character/character.h"

namespace sinew::bodies {

constexpr int kFewestParents = 2;
constexpr double kLowestShare = -0.3, kHighestShare = 1.3;

// Affine mixture: shares in kLowestShare to kHighestShare that sum to 1.
struct MixRecipe {
  std::vector<int> parents;    // indices of bodies, increasing
  std::vector<double> shares;  // one per parent
};

// Draws 3 to 6 parents (fewer if there are fewer bodies, but at least two) and their shares, evenly among all that are
// allowed. Throws UsageError for fewer than two bodies.
MixRecipe DrawMix(int bodies, uint64_t seed);

struct Parent {
  std::string name;  // of its file, for messages
  const Character* character = nullptr;
};

// Returns why a body cannot be mixed with another, as the end of a sentence ("has 40 joints, 'a.glb' has 24"); empty if
// it can: they have the same joints, parts and triangles.
std::string WhyNotMixed(const Parent& body, const Parent& other);

// Mixes bodies: vertices, joints, weights and morph targets alike. All else is that of the first parent. Throws
// UsageError for shares that do not fit, InputError naming the file if a body has another skeleton or topology than the
// first.
Character MixBodies(const std::vector<Parent>& parents, const std::vector<double>& shares);

}  // namespace sinew::bodies

#endif  // SINEW_OFFLINE_BODIES_MIX_BODIES_H_
