// Failed frames of a dataset, which have no shape, grouped by reason.
#ifndef SINEW_OFFLINE_DATASET_FAILURES_H_
#define SINEW_OFFLINE_DATASET_FAILURES_H_

#include <map>
#include <string>
#include <vector>

#include "sinew/offline/core/json.h"

namespace sinew::dataset {

using Failures = std::map<std::string, std::vector<int>>;  // indices of frames by reason

// Array of {reason, frames}.
Json JsonOf(const Failures& failures);

struct FailureKind {
  std::string reason;
  std::vector<int> frames;  // increasing
};

// Summarises failures for display: reasons that differ only in their numbers are merged, with ranges in place of the
// numbers ("3% of ..." and "12% of ..." become "3 to 12% of ..."). Most frequent kind first.
std::vector<FailureKind> KindsOf(const Failures& failures);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_FAILURES_H_
