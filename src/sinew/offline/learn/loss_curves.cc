#include "sinew/offline/learn/loss_curves.h"

#include <fmt/format.h>

#include "sinew/offline/core/file.h"
#include "sinew/offline/report/plot.h"

namespace sinew::learn {

std::string CurvesCsv(std::span<const LossPoint> history) {
  std::string out = "step,training,validation,rate\n";
  for (const LossPoint& look : history) {
    out += fmt::format("{},{},{},{}\n", look.step, look.training, look.validation, look.rate);
  }
  return out;
}

std::string CurvesSvg(std::span<const LossPoint> history, const std::string& title) {
  report::Series training{.name = "training"}, validation{.name = "validation"};
  for (const LossPoint& look : history) {
    training.points.emplace_back(static_cast<double>(look.step), look.training);
    validation.points.emplace_back(static_cast<double>(look.step), look.validation);
  }
  return report::DrawLines({.title = title,
                            .x_label = "step",
                            .y_label = "loss",
                            .series = {std::move(training), std::move(validation)},
                            .log_y = true});
}

void WriteCurves(std::span<const LossPoint> history, const std::string& title, const std::filesystem::path& name) {
  const auto with = [&](const char* extension) { return std::filesystem::path(name.string() + extension); };
  WriteFileAtomic(with(".csv"), CurvesCsv(history));
  WriteFileAtomic(with(".svg"), CurvesSvg(history, title));
}

}  // namespace sinew::learn
