// Mixes a field's weights with those of the skin, for cloth that lies on the skin.
//
// Such cloth has two good choices: the field's weights, which are smooth, and the skin's own, which follow the body
// everywhere, down to folds that a field with few sites cannot follow. Every vertex near the skin takes one mixture of
// the two, where the skin's weights are used as they are or smoothed over the cloth. The mixtures of all vertices
// together are chosen to minimise
//
//   sum_v sum_p ln(1 + (depth_vp / delta)^2) + mu sum_e sum_p s_ep^2,   s = max(length / rest, rest / length) - 1
//
// over the training poses p, where depth is a vertex's depth below the body's surface (collider.h), and s the amount by
// which an edge of the cloth is stretched or compressed.
#ifndef SINEW_OFFLINE_SKINCELLS_MIX_WITH_SKIN_H_
#define SINEW_OFFLINE_SKINCELLS_MIX_WITH_SKIN_H_

#include <vector>

#include "sinew/offline/skincells/training_set.h"

namespace sinew::skincells {

// Returns the mixed weights, with at most l influences per vertex. weights: the field's. set: must have a collider.
// skin: for every vertex that lies on the skin one guide per joint, its target the skin's weight; a vertex without
// guides keeps the field's weights.
SkinWeights MixWithSkin(const Subject& garment, const TrainingSet& set, const SkinWeights& weights,
                        const std::vector<Guide>& skin, int l);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_MIX_WITH_SKIN_H_
