// Packs residuals into modes of whole numbers with one step for all.
#ifndef SINEW_OFFLINE_CORPUS_PACK_MODES_H_
#define SINEW_OFFLINE_CORPUS_PACK_MODES_H_

#include "sinew/offline/corpus/packed_body.h"

namespace sinew::corpus {

struct PackModesOptions {
  double max_loss = 0.05;  // mean length of what is lost, as a share of the mean length of the residuals
};

// Sets modes, step, coefficients, scales, mean_residual and loss of the body, with about the widest step at which the
// loss is at most max_loss. residuals: one row per frame, 3 columns per point. Throws FailedError if numbers of 23 bits
// do not suffice.
//
// Modes are principal components in the body's unit, each as long as it is strong, so that one step in all of them does
// the same harm; those that are weak against the step are left out (reverse water-filling: T. M. Cover and J. A.
// Thomas, "Elements of Information Theory", 10.3.3). Coefficients are fitted to the rounded modes.
void PackModes(const FloatRows& residuals, const PackModesOptions& options, PackedBody& body);

}  // namespace sinew::corpus

#endif  // SINEW_OFFLINE_CORPUS_PACK_MODES_H_
