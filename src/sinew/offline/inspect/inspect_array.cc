#include "sinew/offline/inspect/inspect_array.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/inspect/report_text.h"
#include "sinew/offline/inspect/wording.h"

namespace sinew::inspect {

ArrayInspection InspectArray(const NpyArray& array) {
  ArrayInspection found;
  found.type = Name(array.type);
  found.shape = array.shape;
  found.elements = array.size();
  double sum = 0;
  for (const double value : array.ToDoubles()) {
    if (std::isnan(value)) {
      ++found.nans;
    } else if (std::isinf(value)) {
      ++found.infinities;
    } else {
      found.min = found.finite == 0 ? value : std::min(found.min, value);
      found.max = found.finite == 0 ? value : std::max(found.max, value);
      ++found.finite;
      sum += value;
    }
  }
  if (found.finite > 0) found.mean = sum / static_cast<double>(found.finite);
  if (found.nans + found.infinities > 0) {
    found.findings.push_back(
        {Severity::kWarning, "not-finite", "array",
         fmt::format("{} not a number and {} infinite", Are(found.nans, "element"), Are(found.infinities, "element")),
         "find out which step made them"});
  }
  if (found.elements == 0) {
    found.findings.push_back({Severity::kNote, "empty", "array", "has no elements", "look whether it should have"});
  }
  return found;
}

Json ToJson(const ArrayInspection& found) {
  return {{"kind", "array"},
          {"type", found.type},
          {"shape", found.shape},
          {"elements", found.elements},
          {"min", found.min},
          {"max", found.max},
          {"mean", found.mean},
          {"nans", found.nans},
          {"infinities", found.infinities},
          {"findings", FindingsJson(found.findings)}};
}

std::string ToText(const ArrayInspection& found) {
  std::string out = "Array\n";
  out += FactLine("type", found.type);
  out += FactLine(
      "shape",
      fmt::format("{} ({})", found.shape.empty() ? "one number" : fmt::format("{}", fmt::join(found.shape, " x ")),
                  Counted(found.elements, "element")));
  if (found.finite > 0) {
    out += FactLine("values", fmt::format("{:.6g} to {:.6g}, mean {:.6g}", found.min, found.max, found.mean));
  }
  out += FactLine("", fmt::format("{} NaN, {} infinite", Grouped(found.nans), Grouped(found.infinities)));
  return out + FindingsText(found.findings);
}

}  // namespace sinew::inspect
