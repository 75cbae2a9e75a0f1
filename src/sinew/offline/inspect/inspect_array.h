// Inspection of an array of numbers: its type, shape and range of values.
#ifndef SINEW_OFFLINE_INSPECT_INSPECT_ARRAY_H_
#define SINEW_OFFLINE_INSPECT_INSPECT_ARRAY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/offline/core/json.h"
#include "sinew/offline/inspect/finding.h"
#include "sinew/offline/io/npy.h"

namespace sinew::inspect {

struct ArrayInspection {
  std::string type;  // NumPy's name: "f4"
  std::vector<int64_t> shape;
  int64_t elements = 0;
  int64_t nans = 0;
  int64_t infinities = 0;
  int64_t finite = 0;
  // Statistics of the finite elements; 0 if there are none.
  double min = 0, max = 0, mean = 0;
  Findings findings;
};

ArrayInspection InspectArray(const NpyArray& array);

Json ToJson(const ArrayInspection& found);
std::string ToText(const ArrayInspection& found);

}  // namespace sinew::inspect

#endif  // SINEW_OFFLINE_INSPECT_INSPECT_ARRAY_H_
