// Reduces a deformer without training it again, by dropping the modes that contribute least for their size.
#ifndef SINEW_OFFLINE_DEFORMER_DROP_MODES_H_
#define SINEW_OFFLINE_DEFORMER_DROP_MODES_H_

#include "sinew/offline/deformer/deformer.h"

namespace sinew::deformer {

// Returns the deformer with only its most valuable modes. share: fraction of all modes to keep, 0 to 1. The value of a
// mode is its mean squared displacement over the training frames and the points of its level, summed over the levels
// that it affects (if it is a mode that finer levels start from, all finer ones too), and divided by the number of
// values stored for it. Modes of a region are orthogonal to each other, so that dropping some loses exactly their
// contribution. Regions that have no modes left are removed.
Deformer KeepBestModes(const Deformer& deformer, double share);

// Number of modes of all regions of all levels.
int CountModes(const Deformer& deformer);

}  // namespace sinew::deformer

#endif  // SINEW_OFFLINE_DEFORMER_DROP_MODES_H_
