// Plots of an evaluation as SVG: the error of every frame, and the error of every level against its memory and time.
// to_mm is millimetres per unit of the character.
#ifndef SINEW_OFFLINE_EVALUATE_EVALUATION_PLOTS_H_
#define SINEW_OFFLINE_EVALUATE_EVALUATION_PLOTS_H_

#include <string>
#include <vector>

#include "sinew/offline/evaluate/evaluate.h"
#include "sinew/offline/measure/bundle_timing.h"

namespace sinew::evaluate {

// Plot of the errors of all methods on the finest level. order: indices of the frames, from left to right.
std::string FramePlot(const Evaluation& evaluation, const std::string& title, const std::string& x_label,
                      const std::vector<int>& order, double to_mm);
// Two such plots: with frames in order of time (only if some are of motions), and sorted by linear blend skinning's
// error. motions: TrainingFrames::motions.
std::vector<std::string> FramePlots(const Evaluation& evaluation, const std::vector<int>& motions, double to_mm);

// Number of bytes of a bundle that are needed to display one level by itself: its rest shape and skinning weights and,
// unless skin_only, the networks, bases and upsampling of this level and of the levels that it starts from.
size_t BytesToShow(const runtime::Bundle& bundle, int level, bool skin_only);

// Method of the evaluation that is a bundle.
struct PlottedBundle {
  std::string method;  // its name
  const runtime::Bundle* bundle = nullptr;
  measure::BundleTimings timings = {};
};

// Plot of error against memory, one point per level, of the skinnings and the methods that are bundles. bundles: at
// least one; the first one also provides the values for skinning.
std::string MemoryPlot(const Evaluation& evaluation, const std::vector<PlottedBundle>& bundles, double to_mm);
// Plot of error against time with cold caches, one point per level. threads: number of threads, which must have been
// timed.
std::string TimePlot(const Evaluation& evaluation, const std::vector<PlottedBundle>& bundles, int threads,
                     double to_mm);

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_EVALUATION_PLOTS_H_
