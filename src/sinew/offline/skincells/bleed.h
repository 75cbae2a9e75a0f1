// Vertices that are driven by a joint far away from them: what an artist calls bleeding weights.
#ifndef SINEW_OFFLINE_SKINCELLS_BLEED_H_
#define SINEW_OFFLINE_SKINCELLS_BLEED_H_

#include <span>
#include <vector>

#include "sinew/offline/skincells/bones.h"

namespace sinew::skincells {

struct BleedOptions {
  double least_weight = 0.02;  // less moves nothing that one sees
  // How much farther than its nearest bone a vertex may be from one that drives it; of the body's longest side.
  double reach = 0.1;
};

struct JointBleed {
  int joint = -1;             // of the skeleton
  int vertices = 0;           // that it drives from afar
  double largest_weight = 0;  // on one of them
  double farthest = 0;        // of them from its bones; of the body's longest side
};

// Joints that bleed, those with the most vertices first. weights: of the subject's surface.
std::vector<JointBleed> FindBleed(const Subject& subject, std::span<const Bone> bones, const SkinWeights& weights,
                                  const BleedOptions& options = {});

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_BLEED_H_
