// A deformer with one corrective of two modes and one of its level's own, for readers and writers.
#ifndef SINEW_TESTS_SUPPORT_SMALL_DEFORMER_H_
#define SINEW_TESTS_SUPPORT_SMALL_DEFORMER_H_

#include "sinew/offline/deformer/deformer.h"

namespace sinew::testing {

deformer::Deformer SmallDeformer();

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_SMALL_DEFORMER_H_
