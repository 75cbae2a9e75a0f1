// An evaluation as plots: the error of every frame, and of every level against the memory and the time that it takes.
#ifndef SINEW_OFFLINE_EVALUATE_EVALUATION_PLOTS_H_
#define SINEW_OFFLINE_EVALUATE_EVALUATION_PLOTS_H_

#include <string>
#include <vector>

#include "sinew/offline/evaluate/evaluate.h"
#include "sinew/offline/measure/bundle_timing.h"

namespace sinew::evaluate {

// The errors of all methods on the finest level, frames in this order.
std::string FramePlot(const Evaluation& evaluation, const std::string& title, const std::string& x_label,
                      const std::vector<int>& order, double to_mm);
// The same for frames as they are, if some are of motions, and by linear blend skinning's error.
std::vector<std::string> FramePlots(const Evaluation& evaluation, const std::vector<int>& motions, double to_mm);

// Bytes of a bundle that one level by itself needs to be shown: its rest shape and skinning weights, and unless it is
// only skinned the networks, bases and upsampling of it and of the levels that it starts from.
size_t BytesToShow(const runtime::Bundle& bundle, int level, bool skin_only);

// A method of the evaluation that is a bundle.
struct PlottedBundle {
  const runtime::Bundle* bundle = nullptr;
  measure::BundleTimings timings = {};
};

// bundles: the methods of the evaluation after skinning, in its order; the first also says what skinning takes. One
// point per level.
std::string MemoryPlot(const Evaluation& evaluation, const std::vector<PlottedBundle>& bundles, double to_mm);
// Cold caches, this number of threads, which must have been timed.
std::string TimePlot(const Evaluation& evaluation, const std::vector<PlottedBundle>& bundles, int threads,
                     double to_mm);

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_EVALUATION_PLOTS_H_
