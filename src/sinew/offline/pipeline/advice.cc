#include "sinew/offline/pipeline/advice.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "sinew/offline/pipeline/layout.h"

namespace sinew::pipeline {

std::string AdviseMorePoses(const Json& training) {
  const Json levels = training.value("levels", Json::array());
  if (levels.empty()) return "";
  // Errors that are small beside what there is to learn at all do not count.
  const double small = (1 - kBetter) * levels[0].value("residual_mm", 0.0);
  std::vector<size_t> found;
  double trained = 0, kept = 0;
  for (size_t i = 0; i < levels.size(); ++i) {
    const double on_training = levels[i].value("training_mm", 0.0), on_kept = levels[i].value("validation_mm", 0.0);
    if (on_kept - on_training <= small || on_kept * on_kept <= 2 * on_training * on_training) continue;
    found.push_back(i + 1);
    trained = on_training, kept = on_kept;
  }
  if (found.empty()) return "";
  return fmt::format(
      "More poses would help (poses.training): on {} {} correctives leave {:.2f} mm in poses that were kept apart from "
      "training and {:.2f} mm in those that were learned from, so that most of the error comes from poses that are new "
      "to them.",
      found.size() == 1 ? "level" : "levels", fmt::join(found, ", "), kept, trained);
}

std::string AdviseSingleLevel(const Json& levels) {
  if (levels.empty() || !levels.back().contains("single-level")) return "";
  const Json& finest = levels.back();
  std::string where;
  for (const auto& [of, set] :
       {std::pair("test_rms_mm", "in unseen poses"), std::pair("motion_rms_mm", "in the unseen motion")}) {
    const double ours = finest.at("sinew").at(of), theirs = finest.at("single-level").at(of);
    if (theirs >= kBetter * ours || ours <= finest.at("exact_mm").get<double>()) continue;
    where += fmt::format("{} {:.2f} mm instead of {:.2f} mm {}", where.empty() ? "" : " and", theirs, ours, set);
  }
  if (where.empty()) return "";
  return fmt::format(
      "On the finest level the single-level method is nearer to the truth:{}. It learns correctives for each level by "
      "itself, where Sinew's finer levels add to the coarser ones, so that each level needs correctives of its own. If "
      "you show the finest level alone, try {}; training.method=single-level ships it.",
      where, kSingleBundle);
}

}  // namespace sinew::pipeline
