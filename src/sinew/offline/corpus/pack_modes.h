// Packs residuals into modes of 8-bit numbers with a scale each.
#ifndef SINEW_OFFLINE_CORPUS_PACK_MODES_H_
#define SINEW_OFFLINE_CORPUS_PACK_MODES_H_

#include "sinew/offline/corpus/packed_body.h"

namespace sinew::corpus {

struct PackModesOptions {
  double max_loss = 0.05;  // mean length of what is lost, as a share of the mean length of the residuals
  int batch = 8;           // number of modes that are added at a time
  int max_modes = 2000;    // where packing gives up
};

// Adds modes until the loss is at most max_loss, and sets modes, scales, coefficients, mean_residual and loss of the
// body. Modes are principal components; each batch is of what the earlier ones left, their rounding to 8 bits included,
// and all coefficients are fitted again to the rounded modes. residuals: one row per frame, 3 columns per point.
void PackModes(const FloatRows& residuals, const PackModesOptions& options, PackedBody& body);

}  // namespace sinew::corpus

#endif  // SINEW_OFFLINE_CORPUS_PACK_MODES_H_
