// Mixes a field's weights with those of the body's skin, for a garment that lies on the skin.
//
// Such cloth has two good choices: the field's weights, which are smooth, and the skin's own, which follow the body
// everywhere, down to folds that a field with few sites cannot follow. Every vertex of the cloth near the skin takes
// one of a short list of mixtures: some share of the skin's weights, as they are or smoothed over the cloth, and the
// rest of the field's. Vertices choose one after the other, a few times over, to reduce
//
//   sum_v sum_p ln(1 + (depth_vp / delta)^2) + mu sum_e sum_p s_ep^2,   s = max(length / rest, rest / length) - 1
//
// over a sample of the training poses p, where depth is a vertex's depth as in collider.h (below the posed body's
// surface plus a margin; both the largest margin and delta are smaller here), and s the amount by which an edge of the
// cloth is stretched or compressed.
#ifndef SINEW_OFFLINE_SKINCELLS_MIX_WITH_SKIN_H_
#define SINEW_OFFLINE_SKINCELLS_MIX_WITH_SKIN_H_

#include <vector>

#include "sinew/offline/skincells/training_set.h"

namespace sinew::skincells {

// Returns the mixed weights, with at most l influences per vertex. weights: the field's. set: must have a collider.
// skin: for every vertex near the skin one guide per entry of Subject::joints, also where the skin's weight, its
// target, is 0 (a joint left out would keep the field's weight); strength is not used. A vertex without guides keeps
// the field's weights, the strongest l of them.
SkinWeights MixWithSkin(const Subject& garment, const TrainingSet& set, const SkinWeights& weights,
                        const std::vector<Guide>& skin, int l);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_MIX_WITH_SKIN_H_
