// Finds vertices that are driven by a joint far away from them: what an artist calls bleeding weights.
#ifndef SINEW_OFFLINE_SKINCELLS_BLEED_H_
#define SINEW_OFFLINE_SKINCELLS_BLEED_H_

#include <span>
#include <vector>

#include "sinew/offline/skincells/bones.h"

namespace sinew::skincells {

struct BleedOptions {
  double least_weight = 0.02;  // smaller weights are ignored: they move nothing that one sees
  // Largest allowed excess of a vertex's distance to a driving joint's bones over that to its nearest bone, as a
  // fraction of the body's longest side.
  double reach = 0.1;
};

struct JointBleed {
  int joint = -1;             // index into the skeleton
  int vertices = 0;           // number of vertices that it drives from too far away
  double largest_weight = 0;  // largest weight of the joint on one of these vertices
  double farthest = 0;        // largest distance of these from its bones, as a fraction of the body's longest side
};

// Returns the joints that bleed, those with the most vertices first. weights: of the subject's surface.
std::vector<JointBleed> FindBleed(const Subject& subject, std::span<const Bone> bones, const SkinWeights& weights,
                                  const BleedOptions& options = {});

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_BLEED_H_
