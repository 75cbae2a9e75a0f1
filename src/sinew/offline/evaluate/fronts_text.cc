#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/bake/bake_character.h"
#include "sinew/offline/evaluate/evaluation_text.h"
#include "sinew/offline/evaluate/fronts.h"
#include "sinew/offline/inspect/report_text.h"
#include "sinew/offline/report/plot.h"
#include "sinew/offline/tables/names.h"

namespace sinew::evaluate {
namespace {

using runtime::Precision;

double CostOf(const FrontsComparison& c, const FrontsEntry& entry, FrontsCost cost) {
  switch (cost) {
    case FrontsCost::kMemory:
      return static_cast<double>(entry.correctives);
    case FrontsCost::kTime:
      return entry.cold.median;
    case FrontsCost::kFastestTime:
      return entry.cold.fastest;
    case FrontsCost::kCorrectiveTime:
      return entry.cold.median - c.skinning_cold.median;
    case FrontsCost::kFastestCorrectiveTime:
      return entry.cold.fastest - c.skinning_cold.fastest;
  }
  return 0;
}

std::vector<FrontPoint> FrontOf(const FrontsComparison& c, bool single_level, Precision precision, FrontsCost cost) {
  std::vector<FrontPoint> points;
  for (const FrontsEntry& entry : c.entries) {
    if (entry.single_level != single_level || entry.precision != precision) continue;
    points.push_back({entry.error, CostOf(c, entry, cost)});
  }
  return LowerFront(std::move(points));
}

std::vector<Precision> PrecisionsOf(const FrontsComparison& c) {
  std::vector<Precision> precisions;
  for (const FrontsEntry& entry : c.entries) {
    if (std::find(precisions.begin(), precisions.end(), entry.precision) == precisions.end()) {
      precisions.push_back(entry.precision);
    }
  }
  return precisions;
}

const char* MethodName(bool single_level) { return single_level ? "single-level" : "multi-resolution"; }

// Sets all ratios. times(cost): cost of the single-level method divided by ours.
template <typename Times>
void Fill(FrontsRatio& ratio, const Times& times) {
  ratio.memory = times(FrontsCost::kMemory);
  ratio.time = times(FrontsCost::kTime);
  ratio.time_fastest = times(FrontsCost::kFastestTime);
  ratio.corrective_time = times(FrontsCost::kCorrectiveTime);
  ratio.corrective_time_fastest = times(FrontsCost::kFastestCorrectiveTime);
}

// Ratios of the costs of both Pareto fronts at the error of our reference.
FrontsRatio AtEqualError(const FrontsComparison& c, const FrontsEntry& ours, Precision single_level) {
  FrontsRatio ratio{.ours = ours.precision, .single_level = single_level, .at = "error", .error = ours.error};
  Fill(ratio, [&](FrontsCost cost) {
    const std::vector<FrontPoint> theirs = FrontOf(c, true, single_level, cost);
    const std::vector<FrontPoint> front = FrontOf(c, false, ours.precision, cost);
    if (theirs.empty() || theirs.back().cost <= 0 || front.back().cost <= 0) return 0.0;
    if (ours.error < theirs.front().error) ratio.reached = false;
    return CostAt(theirs, std::max(ours.error, theirs.front().error)) / CostAt(front, ours.error);
  });
  return ratio;
}

// Ratios of the costs of both methods at the regions and epsilon of our reference.
FrontsRatio AtEqualEpsilon(const FrontsComparison& c, const FrontsEntry& ours, const FrontsEntry& single_level) {
  FrontsRatio ratio{.ours = ours.precision, .single_level = single_level.precision, .at = "epsilon"};
  Fill(ratio, [&](FrontsCost cost) {
    const double theirs = CostOf(c, single_level, cost), mine = CostOf(c, ours, cost);
    return theirs > 0 && mine > 0 ? theirs / mine : 0.0;
  });
  return ratio;
}

Json ToJson(const measure::Microseconds& m) { return {{"median", m.median}, {"p99", m.p99}, {"fastest", m.fastest}}; }

std::string OrUnknown(double ratio) { return ratio > 0 ? fmt::format("{:.2f}", ratio) : std::string("?"); }
Json OrNull(double ratio) { return ratio > 0 ? Json(ratio) : Json(); }

std::string Sentence(const FrontsRatio& r, double to_mm) {
  const std::string where = r.at == "error" ? fmt::format("at our default's error, {:.3f} mm", to_mm * r.error)
                                            : std::string("at our default's epsilon and regions");
  return fmt::format(
      "{}, ours in {}: single-level {} takes {}{:.2f} times our memory, {:.2f} ({:.2f}) times the time of our frames "
      "and "
      "{} ({}) of our correctives{}\n",
      where, tables::NameOf(r.ours), tables::NameOf(r.single_level), r.reached ? "" : "at least ", r.memory, r.time,
      r.time_fastest, OrUnknown(r.corrective_time), OrUnknown(r.corrective_time_fastest),
      r.reached ? "" : ", and is nowhere so exact");
}

}  // namespace

std::vector<FrontsRatio> RatiosOf(const FrontsComparison& c) {
  std::vector<FrontsRatio> ratios;
  if (c.nothing_to_correct()) return ratios;
  const std::vector<Precision> precisions = PrecisionsOf(c);
  for (const Precision precision : precisions) {
    const FrontsEntry *ours = c.Reference(false, precision), *single = c.Reference(true, precision);
    if (ours == nullptr || single == nullptr) continue;
    ratios.push_back(AtEqualError(c, *ours, precision));
    ratios.push_back(AtEqualEpsilon(c, *ours, *single));
    if (precision != precisions.front()) ratios.push_back(AtEqualError(c, *ours, precisions.front()));
  }
  return ratios;
}

Json FrontsJson(const FrontsComparison& c, double to_mm) {
  Json json = {{"test_frames", c.test_frames},
               {"linear_blend_mm", to_mm * c.linear_blend},
               {"nothing_to_correct", c.nothing_to_correct()},
               {"skinning_hot_us", ToJson(c.skinning_hot)},
               {"skinning_cold_us", ToJson(c.skinning_cold)},
               {"reference", {{"regions", c.reference_regions}, {"epsilon", c.reference_epsilon}}},
               {"bundles", Json::array()},
               {"ratios", Json::array()}};
  for (const FrontsEntry& e : c.entries) {
    Json levels = Json::array();
    for (const double error : e.level_errors) levels.push_back(to_mm * error);
    Json bundle = {{"method", MethodName(e.single_level)},
                   {"regions", e.regions},
                   {"epsilon", e.epsilon},
                   {"precision", tables::NameOf(e.precision)},
                   {"rms_mm", to_mm * e.error},
                   {"of_linear_blend", c.nothing_to_correct() ? Json() : Json(e.error / c.linear_blend)},
                   {"level_rms_mm", levels},
                   {"corrective_bytes", e.correctives},
                   {"bundle_bytes", e.bytes},
                   {"hot_us", ToJson(e.hot)},
                   {"cold_us", ToJson(e.cold)}};
    if (e.training_seconds >= 0) bundle["training_seconds"] = e.training_seconds;
    json["bundles"].push_back(std::move(bundle));
  }
  for (const FrontsRatio& r : RatiosOf(c)) {
    json["ratios"].push_back({{"at", r.at},
                              {"ours", tables::NameOf(r.ours)},
                              {"single_level", tables::NameOf(r.single_level)},
                              {"rms_mm", to_mm * r.error},
                              {"memory", r.memory},
                              {"time", r.time},
                              {"time_fastest", OrNull(r.time_fastest)},
                              {"corrective_time", OrNull(r.corrective_time)},
                              {"corrective_time_fastest", OrNull(r.corrective_time_fastest)},
                              {"reached", r.reached}});
  }
  return json;
}

std::string FrontsText(const FrontsComparison& c, double to_mm) {
  std::vector<std::vector<std::string>> rows = {
      {"method", "regions", "epsilon", "precision", "rms, mm", "share", "MB", "bundle, MB", "cold, us", "hot, us"}};
  for (const FrontsEntry& e : c.entries) {
    rows.push_back({MethodName(e.single_level), std::to_string(e.regions), fmt::format("{:.3g}", e.epsilon),
                    tables::NameOf(e.precision), fmt::format("{:.3f}", to_mm * e.error),
                    ShareText(e.error, c.linear_blend, c.exact),
                    fmt::format("{:.2f}", 1e-6 * static_cast<double>(e.correctives)),
                    fmt::format("{:.2f}", 1e-6 * static_cast<double>(e.bytes)), fmt::format("{:.0f}", e.cold.median),
                    fmt::format("{:.0f}", e.hot.median)});
  }
  std::string text = inspect::TextTable(rows) +
                     fmt::format(
                         "rms: over the test frames, root mean square over the levels; share: of linear blend "
                         "skinning's {:.3f} mm;\n"
                         "MB: networks, bases and upsampling; times: medians of a frame with all levels, skinning "
                         "alone {:.0f} cold and {:.0f} hot\n\n"
                         "In what follows times are cold, by medians and in brackets by fastest runs; that of "
                         "correctives is a frame's less skinning alone,\n"
                         "as in the paper's table 1, which has no skinning\n",
                         to_mm * c.linear_blend, c.skinning_cold.median, c.skinning_hot.median);
  for (const FrontsRatio& ratio : RatiosOf(c)) text += Sentence(ratio, to_mm);
  if (c.nothing_to_correct()) {
    text += "ratios are left out: linear blend skinning is already exact, and there is nothing to correct\n";
  }
  return text;
}

std::string FrontsPlot(const FrontsComparison& c, FrontsCost cost, double to_mm) {
  const bool memory = cost == FrontsCost::kMemory;
  const bool whole = cost == FrontsCost::kTime || cost == FrontsCost::kFastestTime;
  report::LinePlot plot;
  plot.title = memory  ? "Error against memory, all levels"
               : whole ? "Error against time, all levels"
                       : "Error against time of correctives, all levels";
  plot.x_label = "error on unseen frames, rms over levels, mm";
  plot.y_label = memory  ? "networks, bases, upsampling, MB"
                 : whole ? "a frame, cold, microseconds"
                         : "a frame less skinning alone, cold, microseconds";
  plot.log_y = true;
  for (const Precision precision : PrecisionsOf(c)) {
    for (const bool single_level : {false, true}) {
      report::Series& series = plot.series.emplace_back();
      series.name = fmt::format("{} {}", MethodName(single_level), tables::NameOf(precision));
      series.dots = true;
      for (const FrontPoint& point : FrontOf(c, single_level, precision, cost)) {
        if (point.cost > 0) series.points.emplace_back(to_mm * point.error, memory ? 1e-6 * point.cost : point.cost);
      }
    }
  }
  return report::DrawLines(plot);
}

}  // namespace sinew::evaluate
