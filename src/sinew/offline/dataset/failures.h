// Frames that have no shape, and why.
#ifndef SINEW_OFFLINE_DATASET_FAILURES_H_
#define SINEW_OFFLINE_DATASET_FAILURES_H_

#include <map>
#include <string>
#include <vector>

#include "sinew/offline/core/json.h"

namespace sinew::dataset {

using Failures = std::map<std::string, std::vector<int>>;  // frames by reason

Json JsonOf(const Failures& failures);

struct FailureKind {
  std::string reason;
  std::vector<int> frames;  // in order
};

// For people: reasons that differ in their numbers alone are one, with ranges: "3% of ..." and "12% of ..." are
// "3 to 12% of ...". The most frequent first.
std::vector<FailureKind> KindsOf(const Failures& failures);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_FAILURES_H_
