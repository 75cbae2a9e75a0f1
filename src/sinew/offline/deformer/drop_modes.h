// A smaller deformer without training again: modes that do least for their bytes are left out.
#ifndef SINEW_OFFLINE_DEFORMER_DROP_MODES_H_
#define SINEW_OFFLINE_DEFORMER_DROP_MODES_H_

#include "sinew/offline/deformer/deformer.h"

namespace sinew::deformer {

// Keeps the share (0 to 1) of all modes that is worth most: the squared displacement that a mode makes in training
// frames, as a mean over its level's points, summed over the levels that see it (all finer ones too, if it is handed
// on), for each number that it takes to store. Modes of a region are orthogonal to each other, so that what is lost is
// what the dropped ones did. Regions without any left are gone.
Deformer KeepBestModes(const Deformer& deformer, double share);

int CountModes(const Deformer& deformer);

}  // namespace sinew::deformer

#endif  // SINEW_OFFLINE_DEFORMER_DROP_MODES_H_
