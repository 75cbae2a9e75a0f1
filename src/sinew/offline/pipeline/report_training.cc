#include "sinew/offline/pipeline/report_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "sinew/offline/core/json.h"
#include "sinew/offline/pipeline/advice.h"
#include "sinew/offline/pipeline/judged_set.h"
#include "sinew/offline/report/plot.h"

namespace sinew::pipeline {
namespace {

// Returns the numbers of outputs of a level's networks, largest first.
std::vector<int> DimensionsOf(const runtime::BundleLevel& level) {
  std::vector<int> dimensions;
  dimensions.reserve(level.networks.network_count());
  for (int n = 0; n < level.networks.network_count(); ++n) {
    dimensions.push_back(static_cast<int>(level.networks.network(n).outputs));
  }
  std::sort(dimensions.begin(), dimensions.end(), std::greater<>());
  return dimensions;
}

bool HasNetworks(const runtime::Bundle& bundle) {
  for (int i = 1; i <= bundle.level_count(); ++i) {
    if (bundle.level(i).networks.network_count() > 0) return true;
  }
  return false;
}

std::string SpreadPlot(const runtime::Bundle& bundle) {
  report::LinePlot plot;
  plot.title = "Dimensions of each region's basis";
  plot.x_label = "regions that are not culled, largest basis first";
  plot.y_label = "dimensions";
  for (int i = 1; i <= bundle.level_count(); ++i) {
    report::Series series{fmt::format("level {}", i), {}};
    for (const int dimensions : DimensionsOf(bundle.level(i))) {
      series.points.emplace_back(static_cast<double>(series.points.size()), dimensions);
    }
    if (!series.points.empty()) plot.series.push_back(std::move(series));
  }
  return report::DrawLines(plot);
}

std::string TotalPlot(const BuildReportInput& input) {
  report::BarPlot plot;
  plot.title = "Retained dimensions of a level";
  plot.y_label = "dimensions of all regions";
  const auto totals = [](const runtime::Bundle& bundle) {
    std::vector<double> values;
    for (int i = 1; i <= bundle.level_count(); ++i) values.push_back(bundle.level(i).coefficient_count());
    return values;
  };
  for (int i = 1; i <= input.sinew.bundle->level_count(); ++i) plot.names.push_back(fmt::format("level {}", i));
  plot.series = {{"Sinew", totals(*input.sinew.bundle)}};
  if (input.compared.bundle != nullptr) {
    plot.series.emplace_back(input.compared_name, totals(*input.compared.bundle));
  }
  plot.colors = {kSinew, kSingle};
  return report::DrawBars(plot);
}

// Training and validation losses summed over the networks of a level.
struct LossSums {
  double training = 0, validation = 0;
};

// Returns the sums per training step. Networks end at different steps; one that has ended keeps its last loss.
std::map<int, LossSums> SumCurves(const Json& curves) {
  std::map<int, LossSums> sums;
  for (const Json& region : curves) {
    for (const Json& point : region.value("curve", Json::array())) sums[point.at(0).get<int>()];
  }
  for (const Json& region : curves) {
    const Json curve = region.value("curve", Json::array());
    if (curve.empty()) continue;
    size_t at = 0;
    for (auto& [step, sum] : sums) {
      while (at + 1 < curve.size() && curve[at + 1].at(0).get<int>() <= step) ++at;
      sum.training += curve[at].at(1).get<double>();
      sum.validation += curve[at].at(2).get<double>();
    }
  }
  return sums;
}

std::string CurvePlot(const Json& level, size_t number) {
  report::LinePlot plot;
  plot.title = fmt::format("Training of level {}: {} networks", number, level.value("networks", 0));
  plot.x_label = "steps";
  plot.y_label = "loss, of the first one";
  plot.log_y = true;
  const std::map<int, LossSums> sums = SumCurves(level.value("curves", Json::array()));
  if (sums.empty()) return "";
  const LossSums& first = sums.begin()->second;
  report::Series training{"training", {}}, validation{"validation", {}};
  for (const auto& [step, sum] : sums) {
    if (first.training > 0) training.points.emplace_back(step, sum.training / first.training);
    if (first.validation > 0) validation.points.emplace_back(step, sum.validation / first.validation);
  }
  plot.series = {training, validation};
  return report::DrawLines(plot);
}

}  // namespace

void AddDimensions(const BuildReportInput& input, report::Page& page) {
  page.FoldedSection("Retained dimensions", "How many shapes each level mixes, and by how many networks.");
  page.Paragraph(
      "Of each region and level the basis keeps as many dimensions as the threshold asks for; regions in which little "
      "is left to add are culled and have no network.");
  const runtime::Bundle& bundle = *input.sinew.bundle;
  if (HasNetworks(bundle)) {
    page.Plots({TotalPlot(input), SpreadPlot(bundle)});
  } else {
    page.Paragraph("All regions of all levels are left out: there is nothing to correct.");
  }
  std::vector<std::vector<std::string>> rows;
  for (int i = 1; i <= bundle.level_count(); ++i) {
    const std::vector<int> dimensions = DimensionsOf(bundle.level(i));
    const int networks = static_cast<int>(dimensions.size()), total = bundle.level(i).coefficient_count();
    rows.push_back({fmt::format("level {}", i), std::to_string(bundle.level(i).vertex_count), std::to_string(networks),
                    std::to_string(total), networks == 0 ? "-" : fmt::format("{:.1f}", double(total) / networks),
                    networks == 0 ? "-" : std::to_string(dimensions[0])});
  }
  page.Table({"", "vertices", "networks", "dimensions", "a network, mean", "largest"}, rows);
}

void AddTraining(const ReportedBundle& sinew, report::Page& page) {
  const Json levels = sinew.training.value("levels", Json::array());
  if (levels.empty()) return;
  page.FoldedSection("Training", "What each level had to learn, what it did learn, and how that went on.");
  page.Paragraph(
      "Root mean square over points and frames, before skinning, in millimetres: what a level had to learn after the "
      "coarser ones, what its bases leave of it, and what is left with the networks, on frames that were trained on "
      "and on frames kept for validation.");
  if (const int images = sinew.training.value("mirror_images", 0); images > 0) {
    page.Paragraph(
        fmt::format("{} of the {} frames that were trained on are mirror images of the others: the character is the "
                    "same left and right.",
                    images, sinew.training.value("training_frames", 0)));
  }
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> plots;
  for (size_t i = 0; i < levels.size(); ++i) {
    const auto mm = [&](const char* key) { return fmt::format("{:.3f}", levels[i].value(key, 0.0)); };
    rows.push_back({fmt::format("level {}", i + 1), mm("residual_mm"), mm("after_basis_mm"), mm("training_mm"),
                    mm("validation_mm")});
    const std::string plot = CurvePlot(levels[i], i + 1);
    if (!plot.empty()) plots.push_back(plot);
  }
  page.Table({"", "to learn", "bases leave", "training", "validation"}, rows);
  if (const std::string advice = AdviseMorePoses(sinew.training); !advice.empty()) page.Paragraph(advice);
  if (plots.empty()) return;
  page.Paragraph("The losses of all networks of a level together; a network that has ended keeps its last loss.");
  page.Plots(plots);
}

}  // namespace sinew::pipeline
