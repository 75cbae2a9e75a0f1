#include "sinew/offline/evaluate/measure_table.h"

#include <fmt/format.h>

#include <functional>

namespace sinew::evaluate {
namespace {

// Number of regions of each kind, gained and lost, that the text names.
constexpr size_t kRegionsInText = 3;

class RowMaker {
 public:
  RowMaker(const Evaluation& evaluation, int level, double to_mm) : e_(evaluation), i_(level - 1), to_mm_(to_mm) {}

  std::vector<MeasureRow> Make() {
    Distances();
    Surface();
    AgainstLinear();
    if (e_.errors[0][i_].flicker) {
      Add("flicker, mm",
          "How much the error jumps from frame to frame in motions (root mean square of its second difference): it is "
          "seen as trembling, and 0 for an error that stays or moves evenly. Where all methods have the same, the "
          "truth "
          "itself jumps.",
          [&](const LevelError& error) { return Mm(*error.flicker, 3); });
    }
    return std::move(rows_);
  }

 private:
  using Cell = std::function<std::string(const LevelError& error)>;
  // compared: with linear blend skinning, which has no value of its own then.
  void Add(const std::string& name, const std::string& reading, const Cell& cell, bool compared = false) {
    std::vector<std::string> cells;
    for (const std::vector<LevelError>& of_method : e_.errors) {
      cells.push_back(compared && cells.empty() ? std::string("-") : cell(of_method[i_]));
    }
    rows_.push_back({name, reading, std::move(cells)});
  }
  std::string Mm(double length, int digits) const { return fmt::format("{:.{}f}", to_mm_ * length, digits); }

  void Distances() {
    Add("mean distance, mm",
        "How far the surface is from the truth on average; each part of it counts by its area, however many points it "
        "has.",
        [&](const LevelError& error) { return Mm(error.mean, 3); });
    Add("95% are nearer than, mm", "Of the surface in all frames, one part in twenty is farther from the truth.",
        [&](const LevelError& error) { return Mm(error.p95, 2); });
    Add("99% are nearer than, mm", "One part in a hundred is farther: creases, tips and folds, where errors stand out.",
        [&](const LevelError& error) { return Mm(error.p99, 2); });
  }

  void Surface() {
    Add("normals off by, degrees",
        "Mean angle between the surface and the true one: light shows it before positions do.",
        [](const LevelError& error) { return fmt::format("{:.2f}", error.normal_mean); });
    Add("95% are off by less than, degrees", "One part in twenty of the surface is turned farther than this.",
        [](const LevelError& error) { return fmt::format("{:.1f}", error.normal_p95); });
    if (e_.errors[0][i_].volume) {
      Add("volume, mean change, %",
          fmt::format("Volume against the truth's in the same pose, of the closed pieces ({:.3g}% of the surface): "
                      "below 0 the body has shrunk.",
                      100 * e_.closed_shares[i_]),
          [](const LevelError& error) { return fmt::format("{:+.2f}", 100 * error.volume->mean); });
      Add("volume, largest change, %", "The frame in which it has shrunk or swollen most.",
          [](const LevelError& error) { return fmt::format("{:.2f}", 100 * error.volume->worst); });
    }
    const Crossings& crossings = e_.crossings;
    if (i_ + 1 != static_cast<size_t>(e_.level_count()) || crossings.frames == 0) return;
    MeasureRow& row = rows_.emplace_back();
    row.name = fmt::format("crossing triangles, pairs (truth: {:.1f})", crossings.truth);
    row.reading = fmt::format(
        "Triangles that pass through each other and do not at rest: mean over {} frames, evenly spread. The truth has "
        "{:.1f}; more look torn or pierced.",
        crossings.frames, crossings.truth);
    for (const double pairs : crossings.methods) row.cells.push_back(fmt::format("{:.1f}", pairs));
  }

  void AgainstLinear() {
    Add(
        fmt::format("{:g} mm worse than linear blend, %", LevelError::kFartherMm),
        fmt::format(
            "Share of the surface, over all frames, that is more than {:g} mm farther from the truth than linear "
            "blend skinning puts it: what the method breaks.",
            LevelError::kFartherMm),
        [](const LevelError& error) { return fmt::format("{:.3f}", 100 * error.farther_share); }, true);
    Add(
        fmt::format("worse frames, of {}", e_.errors[0][i_].frame_rms.size()),
        "Frames in which the method is farther from the truth than linear blend skinning, by its root mean square.",
        [](const LevelError& error) { return std::to_string(error.worse_frames); }, true);
    Add(
        "worst of them is worse by, mm", "How much farther it is in the worst of these frames.",
        [&](const LevelError& error) { return Mm(error.worst_excess, 3); }, true);
  }

  const Evaluation& e_;
  size_t i_;
  double to_mm_;
  std::vector<MeasureRow> rows_;
};

// Lists regions with their errors by linear blend skinning and by the judged method.
std::string ListRegions(const Evaluation& evaluation, const std::vector<size_t>& list, double to_mm) {
  std::string text;
  for (const size_t r : list) {
    const JointRegion& region = evaluation.regions.back()[r];
    text += fmt::format("{}{} {:.2f} -> {:.2f} mm", text.empty() ? "" : ", ", region.joint, to_mm * region.rms[0],
                        to_mm * region.rms[evaluation.judged()]);
  }
  return text.empty() ? "nowhere" : text;
}

}  // namespace

std::vector<MeasureRow> MeasureRows(const Evaluation& evaluation, int level, double to_mm) {
  return RowMaker(evaluation, level, to_mm).Make();
}

std::string MeasuresText(const Evaluation& evaluation, double to_mm) {
  std::string text;
  const auto line = [&](const std::string& name, const std::vector<std::string>& cells) {
    text += fmt::format("{:<40}", name);
    for (const std::string& cell : cells) text += fmt::format(" {:>15}", cell);
    text += '\n';
  };
  line("finest level", evaluation.methods);
  for (const MeasureRow& row : MeasureRows(evaluation, evaluation.level_count(), to_mm)) line(row.name, row.cells);
  if (evaluation.judged() == 0) return text;
  const RegionChanges changes =
      FindChanges(evaluation.regions.back(), evaluation.judged(), evaluation.exact(), kRegionsInText);
  return text + fmt::format("regions by joint, rms from linear blend to {}:\n  most gained: {}\n  most lost: {}\n",
                            evaluation.methods[evaluation.judged()], ListRegions(evaluation, changes.gains, to_mm),
                            ListRegions(evaluation, changes.losses, to_mm));
}

void AddMeasures(const LevelError& error, double to_mm, Json& json) {
  json.update({{"mean_mm", to_mm * error.mean},
               {"p95_mm", to_mm * error.p95},
               {"p99_mm", to_mm * error.p99},
               {"point_rms_mm", to_mm * error.point_rms},
               {"normal_mean_degrees", error.normal_mean},
               {"normal_p95_degrees", error.normal_p95},
               {"farther_share", error.farther_share},
               {"worse_frames", error.worse_frames},
               {"worst_excess_mm", to_mm * error.worst_excess}});
  if (error.volume) json.update({{"volume_mean", error.volume->mean}, {"volume_worst", error.volume->worst}});
  if (error.flicker) json["flicker_mm"] = to_mm * *error.flicker;
}

Json RegionsJson(const Evaluation& evaluation, int level, double to_mm) {
  Json json = Json::array();
  for (const JointRegion& region : evaluation.regions[level - 1]) {
    Json rms = Json::object();
    for (size_t m = 0; m < evaluation.methods.size(); ++m) rms[evaluation.methods[m]] = to_mm * region.rms[m];
    json.push_back({{"joint", region.joint}, {"share", region.share}, {"rms_mm", std::move(rms)}});
  }
  return json;
}

Json CrossingsJson(const Evaluation& evaluation) {
  const Crossings& crossings = evaluation.crossings;
  if (crossings.frames == 0) return nullptr;
  Json json = {{"frames", crossings.frames}, {"at_rest", crossings.at_rest}, {"truth", crossings.truth}};
  for (size_t m = 0; m < evaluation.methods.size(); ++m) json[evaluation.methods[m]] = crossings.methods[m];
  return json;
}

}  // namespace sinew::evaluate
