// Cloth that lies on the skin has two good answers: the field's weights, which are smooth, and the skin's own, which go
// wherever the body goes, down to folds that a field with few sites cannot follow. Every vertex near the skin takes one
// mixture of the field's and the skin's, the latter as they are or smoothed over the cloth, so that together they have
// the least of
//
//   sum_v sum_p ln(1 + (depth_vp / delta)^2) + mu sum_e sum_p s_ep^2,   s = max(length / rest, rest / length) - 1
//
// over the training poses p: depth is how far a vertex is below the body's surface (collider.h), s how much an edge of
// the cloth is stretched or pressed together.
#ifndef SINEW_OFFLINE_SKINCELLS_MIX_WITH_SKIN_H_
#define SINEW_OFFLINE_SKINCELLS_MIX_WITH_SKIN_H_

#include <vector>

#include "sinew/offline/skincells/training_set.h"

namespace sinew::skincells {

// set: with a collider. skin: for every vertex that lies on the skin a guide per joint, its target the skin's weight; a
// vertex without stays as it is. At most l influences a vertex.
SkinWeights MixWithSkin(const Subject& garment, const TrainingSet& set, const SkinWeights& weights,
                        const std::vector<Guide>& skin, int l);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_MIX_WITH_SKIN_H_
