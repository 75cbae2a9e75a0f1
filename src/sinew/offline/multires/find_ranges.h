// Out-of-distribution tests (RangeTest in deformer.h): they decide how far from the training poses a pose may be before
// its correctives fade. The paper has no answer to poses that were not trained (its figure 12).
#ifndef SINEW_OFFLINE_MULTIRES_FIND_RANGES_H_
#define SINEW_OFFLINE_MULTIRES_FIND_RANGES_H_

#include "sinew/offline/deformer/deformer.h"
#include "sinew/offline/learn/dense.h"

namespace sinew::multires {

// Sets the out-of-distribution tests of the deformer and of its regions. features: FeatureCount() rows per joint of the
// skeleton, one column per training or validation pose.
//
// There are two kinds of tests. One per joint that some network sees: the distance of the joint's rotation to the
// nearest of some centres, which cover the trained rotations. One per set of joints that a network sees together: the
// Mahalanobis distance, so that a combination that never occurred is detected even if each joint by itself is well
// inside its range. Both accept all given poses, and a margin beyond; farther out correctives fade slowly, as
// networks are right, though less so, well beyond what they learned from.
void FindRanges(const learn::RowMatrix& features, deformer::Deformer& deformer);

}  // namespace sinew::multires

#endif  // SINEW_OFFLINE_MULTIRES_FIND_RANGES_H_
