// Other lengths for a character's bones: limbs and trunk are stretched along themselves, and the skin follows by its
// weights.
#ifndef SINEW_OFFLINE_BODIES_SCALE_BONES_H_
#define SINEW_OFFLINE_BODIES_SCALE_BONES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/offline/character/character.h"

namespace sinew::bodies {

struct BoneScales {
  // One factor per joint on the length of the bone from it to the next joint of the limb or trunk; 1: as it is. Only
  // joints for which CanScale() says so may have another.
  std::vector<double> factors;
};

// Returns, one per joint, whether its bone can be scaled: thigh, shin, upper arm, forearm, collar, spine and neck of a
// skeleton whose joints are known by name (anatomy/joint_names.h).
std::vector<bool> CanScale(const Skeleton& skeleton);

struct DrawScalesOptions {
  double low = 0.7, high = 1.4;  // of thigh, shin, upper arm and forearm; even in the logarithm
  double trunk = 0.5;            // collar, spine and neck: the exponent to which factors of that range are raised
  bool alike = true;             // left and right alike
};
// Draws factors by a seed. Throws InputError, naming the file, if no bone of the skeleton can be scaled.
BoneScales DrawScales(const Skeleton& skeleton, const DrawScalesOptions& options, uint64_t seed,
                      const std::string& file);

// Returns the character with its bones scaled: skeleton, inverse bind matrices, skin, normals, morph targets and
// translations of animations. Its lowest vertex stays as high above the ground (y = 0) as it was. Triangles, weights
// and everything else stay, so that bodies of one topology still are. Throws UsageError for factors that do not fit the
// skeleton or are outside 0.1 to 10.
Character ScaleBones(const Character& character, const BoneScales& scales);

}  // namespace sinew::bodies

#endif  // SINEW_OFFLINE_BODIES_SCALE_BONES_H_
