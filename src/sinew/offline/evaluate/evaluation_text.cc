#include "sinew/offline/evaluate/evaluation_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew::evaluate {
namespace {

Json ToJson(const LevelError& error, const LevelError& linear, double to_mm) {
  Json json = {{"rms_mm", to_mm * error.rms},
               {"max_mm", to_mm * error.max},
               {"of_linear_blend", linear.rms > 0 ? error.rms / linear.rms : 0.0}};
  if (error.truth_jitter > 0) json["jitter_of_truth"] = error.jitter / error.truth_jitter;
  return json;
}

std::string Share(double part, double of) { return of > 0 ? fmt::format("{:.3f}", part / of) : std::string("-"); }

}  // namespace

Json EvaluationJson(const Evaluation& evaluation, double to_mm) {
  Json levels = Json::array();
  for (int i = 0; i < evaluation.level_count(); ++i) {
    Json level = {{"level", i + 1}};
    for (size_t m = 0; m < evaluation.methods.size(); ++m) {
      Json& method = level[evaluation.methods[m]];
      method = ToJson(evaluation.errors[m][i], evaluation.errors[0][i], to_mm);
      method["free"] = ToJson(evaluation.free[m][i], evaluation.free[0][i], to_mm);
      method["touching"] = ToJson(evaluation.touching[m][i], evaluation.touching[0][i], to_mm);
    }
    levels.push_back(std::move(level));
  }
  return levels;
}

std::string EvaluationText(const Evaluation& evaluation, double to_mm) {
  std::string text = fmt::format("{:>5} {:<18} {:>10} {:>8} {:>11} {:>12} {:>12} {:>10}\n", "level", "method", "rms",
                                 "share", "largest", "free share", "touch share", "jitter");
  for (int i = 0; i < evaluation.level_count(); ++i) {
    for (size_t m = 0; m < evaluation.methods.size(); ++m) {
      const LevelError& e = evaluation.errors[m][i];
      text += fmt::format(
          "{:>5} {:<18} {:>7.3f} mm {:>8} {:>8.2f} mm {:>12} {:>12} {:>10}\n", m == 0 ? std::to_string(i + 1) : "",
          evaluation.methods[m], to_mm * e.rms, Share(e.rms, evaluation.errors[0][i].rms), to_mm * e.max,
          Share(evaluation.free[m][i].rms, evaluation.free[0][i].rms),
          Share(evaluation.touching[m][i].rms, evaluation.touching[0][i].rms), Share(e.jitter, e.truth_jitter));
    }
  }
  return text +
         "rms: over all points and frames; share: of what linear blend skinning gets wrong; touch: frames in which "
         "limbs\n"
         "touch; jitter: frame-to-frame, of the truth's\n";
}

int TouchingFrames(const Evaluation& evaluation) {
  return static_cast<int>(std::count(evaluation.touches.begin(), evaluation.touches.end(), true));
}

}  // namespace sinew::evaluate
