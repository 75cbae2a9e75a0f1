// How far from the training poses a pose may be before its correctives fade (deformer.h, RangeTest). The paper has no
// answer to poses that were not trained (its figure 12).
#ifndef SINEW_OFFLINE_MULTIRES_FIND_RANGES_H_
#define SINEW_OFFLINE_MULTIRES_FIND_RANGES_H_

#include "sinew/offline/deformer/deformer.h"
#include "sinew/offline/learn/dense.h"

namespace sinew::multires {

// features: one row per feature of every joint of the skeleton (FeatureCount each), a column per pose that was trained
// or validated on.
//
// Two kinds of tests. One per joint that some network sees: how near the joint's rotation is to one that was trained,
// by centres that cover those. One per set of joints that networks see together: how likely the combination is, by the
// Mahalanobis distance, so that a combination that never occurred is noticed even where each joint by itself is well
// inside its range. Both reach as far as the poses do, and a margin more.
void FindRanges(const learn::RowMatrix& features, deformer::Deformer& deformer);

}  // namespace sinew::multires

#endif  // SINEW_OFFLINE_MULTIRES_FIND_RANGES_H_
