#include "sinew/offline/evaluate/evaluation_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "sinew/offline/report/plot.h"

namespace sinew::evaluate {
namespace {

bool IsSkinning(const std::string& method) { return method == kLinearBlend || method == kDualQuaternion; }

// Bundle whose cost is that of a method; null if it has none. The skinnings cost what they do in the first bundle.
const PlottedBundle* BundleOf(const std::vector<PlottedBundle>& bundles, const std::string& method) {
  if (IsSkinning(method)) return &bundles[0];
  const auto found = std::find_if(bundles.begin(), bundles.end(),
                                  [&](const PlottedBundle& bundle) { return bundle.method == method; });
  return found == bundles.end() ? nullptr : &*found;
}

// Plot of error against a cost, one point per level; methods without a bundle are left out. cost: cost of a method on a
// level, NaN if unknown.
using Cost = std::function<double(const PlottedBundle& bundle, const std::string& method, int level)>;
std::string LevelsPlot(const Evaluation& evaluation, const std::vector<PlottedBundle>& bundles, report::LinePlot plot,
                       const Cost& cost, double to_mm) {
  plot.y_label = "rms, mm";
  plot.log_x = true;
  for (size_t m = 0; m < evaluation.methods.size(); ++m) {
    const PlottedBundle* bundle = BundleOf(bundles, evaluation.methods[m]);
    if (bundle == nullptr) continue;
    report::Series& series = plot.series.emplace_back();
    series.name = evaluation.methods[m];
    series.dots = true;
    for (int i = 1; i <= evaluation.level_count(); ++i) {
      series.points.emplace_back(cost(*bundle, series.name, i), to_mm * evaluation.errors[m][i - 1].rms);
    }
  }
  return report::DrawLines(plot);
}

}  // namespace

std::string FramePlot(const Evaluation& evaluation, const std::string& title, const std::string& x_label,
                      const std::vector<int>& order, double to_mm) {
  report::LinePlot plot;
  plot.title = title;
  plot.x_label = x_label;
  plot.y_label = "rms, mm";
  for (size_t m = 0; m < evaluation.methods.size(); ++m) {
    report::Series series{evaluation.methods[m], {}};
    for (size_t j = 0; j < order.size(); ++j) {
      series.points.emplace_back(static_cast<double>(j), to_mm * evaluation.errors[m].back().frame_rms[order[j]]);
    }
    plot.series.push_back(std::move(series));
  }
  return report::DrawLines(plot);
}

std::vector<std::string> FramePlots(const Evaluation& evaluation, const std::vector<int>& motions, double to_mm) {
  std::vector<int> order(evaluation.touches.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::string> plots;
  if (std::any_of(motions.begin(), motions.end(), [](int motion) { return motion >= 0; })) {
    plots.push_back(FramePlot(evaluation, "Error of every frame, in order of time", "frames", order, to_mm));
  }
  const std::vector<double>& linear = evaluation.errors[0].back().frame_rms;
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return linear[a] > linear[b]; });
  plots.push_back(FramePlot(evaluation, "Error of every frame on the finest level",
                            "frames, in order of linear blend skinning's error", order, to_mm));
  return plots;
}

size_t BytesToShow(const runtime::Bundle& bundle, int level, bool skin_only) {
  const std::vector<measure::BundleMemory> memory = measure::MemoryOf(bundle);
  const measure::BundleMemory& own = memory[level];
  size_t bytes = own.rest + own.skin;
  if (skin_only) return bytes;
  bytes += own.networks + own.bases;
  if (!bundle.incremental()) return bytes;
  bytes += own.upsampling;
  for (int i = 1; i < level; ++i) {
    bytes += memory[i].networks + memory[i].bases - memory[i].own_bases + memory[i].upsampling;
  }
  return bytes;
}

std::string MemoryPlot(const Evaluation& evaluation, const std::vector<PlottedBundle>& bundles, double to_mm) {
  report::LinePlot plot;
  plot.title = "Error against memory, level by level";
  plot.x_label = "rest shape, weights and correctives of a level, MB";
  const auto megabytes = [](const PlottedBundle& bundle, const std::string& method, int level) {
    return 1e-6 * static_cast<double>(BytesToShow(*bundle.bundle, level, IsSkinning(method)));
  };
  return LevelsPlot(evaluation, bundles, std::move(plot), megabytes, to_mm);
}

std::string TimePlot(const Evaluation& evaluation, const std::vector<PlottedBundle>& bundles, int threads,
                     double to_mm) {
  report::LinePlot plot;
  plot.title = "Error against time, level by level";
  plot.x_label =
      fmt::format("one level, {} {}, cold caches, microseconds", threads, threads == 1 ? "thread" : "threads");
  const auto microseconds = [threads](const PlottedBundle& bundle, const std::string& method, int level) {
    const char* stage = method == kLinearBlend      ? "skinning only"
                        : method == kDualQuaternion ? "dual quaternions"
                                                    : "frame";
    const measure::Timing* timing = bundle.timings.Find(stage, level, threads);
    return timing == nullptr ? NAN : timing->cold.median;
  };
  return LevelsPlot(evaluation, bundles, std::move(plot), microseconds, to_mm);
}

}  // namespace sinew::evaluate
