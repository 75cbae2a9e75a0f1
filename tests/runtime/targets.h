// Runs a test once for every vector target that was compiled and that this CPU has.
#ifndef SINEW_TESTS_RUNTIME_TARGETS_H_
#define SINEW_TESTS_RUNTIME_TARGETS_H_

#include <gtest/gtest.h>

#include "hwy/highway.h"

namespace sinew::testing {

#if (HWY_TARGETS & (HWY_TARGETS - 1)) == 0

template <typename Body>
void ForEachTarget(const Body& body) {
  body();
}

#else

template <typename Body>
void ForEachTarget(const Body& body) {
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    body();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

#endif

}  // namespace sinew::testing

#endif  // SINEW_TESTS_RUNTIME_TARGETS_H_
