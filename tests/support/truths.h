// Small truth files for tests.
#ifndef SINEW_TESTS_SUPPORT_TRUTHS_H_
#define SINEW_TESTS_SUPPORT_TRUTHS_H_

#include <cstdint>
#include <vector>

#include "sinew/offline/core/file.h"
#include "sinew/offline/view/truth_file.h"

namespace sinew::testing {

struct SmallTruth {
  view::TruthHead head;
  std::vector<view::TruthFrame> frames;

  Bytes File() const;
};

// Levels of an odd and an even number of vertices, frames far from the origin and flat ones.
SmallTruth MakeSmallTruth(uint64_t seed = 1);

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_TRUTHS_H_
