#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <set>

#include "sinew/offline/core/quantile.h"
#include "sinew/offline/rigsurvey/rig_survey.h"

namespace sinew::rigsurvey {
namespace {

constexpr double kWrong = 0.03, kRight = 0.01;  // mean distances of joints, for what verdicts are worth
constexpr double kFound = 20;                   // degrees up to which the way that a body stands is found

using Wanted = std::function<bool(const RigOutcome&)>;

// Outcomes of a row of a table, and what is counted and averaged over them.
class Row {
 public:
  Row(const std::vector<RigOutcome>& outcomes, const Wanted& wanted) {
    for (const RigOutcome& outcome : outcomes) {
      if (wanted(outcome)) outcomes_.push_back(&outcome);
    }
  }

  int count() const { return static_cast<int>(outcomes_.size()); }
  int Count(const Wanted& wanted) const {
    return static_cast<int>(
        std::count_if(outcomes_.begin(), outcomes_.end(), [&](const RigOutcome* each) { return wanted(*each); }));
  }
  // Mean over outcomes that were rigged and know the value.
  double Mean(double RigOutcome::*value) const {
    double sum = 0;
    int known = 0;
    for (const RigOutcome* each : outcomes_) {
      if (!each->rigged() || each->*value < 0) continue;
      sum += each->*value;
      ++known;
    }
    return known > 0 ? sum / known : -1;
  }
  std::vector<double> Joints() const {
    std::vector<double> all;
    for (const RigOutcome* each : outcomes_) all.insert(all.end(), each->joints.begin(), each->joints.end());
    return all;
  }
  const std::vector<const RigOutcome*>& outcomes() const { return outcomes_; }

 private:
  std::vector<const RigOutcome*> outcomes_;
};

std::string Percent(double share, int digits = 2) {
  return share < 0 ? "" : fmt::format("{:.{}f}%", 100 * share, digits);
}
std::string Number(double value) { return value < 0 ? "" : fmt::format("{:.3f}", value); }

bool Refused(const RigOutcome& outcome) { return outcome.refused(); }
bool Warned(const RigOutcome& outcome) { return outcome.rigged() && !outcome.warnings.empty(); }
bool Found(const RigOutcome& outcome) { return outcome.rigged() && outcome.turned >= 0 && outcome.turned < kFound; }

// Says why a body was not rigged: it was refused, or its file could not be read.
std::string Fate(const RigOutcome& outcome) { return outcome.failed() ? "failed" : "refused"; }

std::string JointRow(const std::string& name, const Row& row) {
  if (row.count() == 0) return "";
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", name, row.count(), row.Count(Refused),
                     row.Count(Found), Percent(row.Mean(&RigOutcome::mean)), Percent(Quantile(row.Joints(), 0.99)),
                     Number(row.Mean(&RigOutcome::weights)), row.Count(Warned));
}

std::string JointTable(const RigSurvey& survey) {
  std::string text =
      "| group | bodies | refused | way up found | joints, mean | 99 of 100 | weights, of 2 | with a warning |\n"
      "|---|---|---|---|---|---|---|---|\n";
  const size_t empty = text.size();
  std::set<std::string> families;
  for (const RigOutcome& outcome : survey.outcomes) {
    if (!outcome.family.empty()) families.insert(outcome.family);
  }
  for (const char* group : {kGroupT, kGroupA, kGroupTurned, kGroupAxes, kGroupDressed}) {
    text += JointRow(group, Row(survey.outcomes, [&](const RigOutcome& o) { return o.group == group; }));
    if (group != kGroupT) continue;
    for (const std::string& family : families) {
      const auto wanted = [&](const RigOutcome& o) { return o.group == group && o.family == family; };
      text += JointRow(fmt::format("{}, {}", group, family), Row(survey.outcomes, wanted));
    }
  }
  return text.size() == empty ? "" : text + "\n";
}

std::string HeatTable(const RigSurvey& survey) {
  const Row row(survey.outcomes, [](const RigOutcome& o) { return o.rigged() && o.heat_weights >= 0; });
  if (row.count() == 0) return "";
  int unheated = 0, vertices = 0;
  for (const RigOutcome* each : row.outcomes()) unheated += each->unheated, vertices += each->vertices;
  const double own = row.Mean(&RigOutcome::weights), heat = row.Mean(&RigOutcome::heat_weights);
  const double own_posed = row.Mean(&RigOutcome::posed), heat_posed = row.Mean(&RigOutcome::heat_posed);
  return fmt::format(
      "| {} bodies in T-pose | weights, of 2 | posed surface |\n|---|---|---|\n"
      "| this network, with its own joints | {:.3f} | {} |\n| bone heat, given the true joints | {:.3f} | {} |\n"
      "| bone heat / network | {:.2f} | {:.2f} |\n\nBone heat leaves {} of {} vertices without weights.\n\n",
      row.count(), own, Percent(own_posed, 3), heat, Percent(heat_posed, 3), heat / own, heat_posed / own_posed,
      unheated, vertices);
}

std::string MushTable(const RigSurvey& survey) {
  const Row row(survey.outcomes, [](const RigOutcome& o) { return o.rigged() && o.skincells_mush >= 0; });
  if (row.count() == 0) return "";
  const double own = row.Mean(&RigOutcome::skincells_mush), truth = row.Mean(&RigOutcome::true_mush);
  return fmt::format(
      "| {} bodies in T-pose | displacement by Delta Mush |\n|---|---|\n"
      "| optimised weights, with the joints that were found | {} |\n| true weights and joints | {} |\n"
      "| optimised / true | {:.2f} |\n\n",
      row.count(), Percent(own, 3), Percent(truth, 3), own / truth);
}

std::string RemeshTable(const RemeshSpread& spread) {
  const bool none = std::all_of(spread.outcomes.begin(), spread.outcomes.end(), std::mem_fn(&RigOutcome::failed));
  if (none) return "";
  std::string text = "| vertices | joints, mean | weights, of 2 | seconds | warnings |\n|---|---|---|---|---|\n";
  for (const RigOutcome& o : spread.outcomes) {
    text += fmt::format("| {} | {} | {} | {:.1f} | {} |\n", o.vertices, o.rigged() ? Percent(o.mean) : Fate(o),
                        Number(o.weights), o.seconds, fmt::join(o.warnings, ", "));
  }
  return text + fmt::format(
                    "\nLargest distance of a joint from the mean of these: {}; weights of two of them differ by "
                    "{:.3f} of 2 in the mean.\n\n",
                    Percent(spread.joints, 3), spread.weights);
}

std::string FileTable(const RigSurvey& survey) {
  const Row row(survey.outcomes, [](const RigOutcome& o) { return o.group == kGroupFiles; });
  if (row.count() == 0) return "";
  std::string text =
      "| file | vertices | joints that map | mean distance | outside | volume in poses | in the motion | verdict |\n"
      "|---|---|---|---|---|---|---|---|\n";
  for (const RigOutcome* o : row.outcomes()) {
    const std::string verdict = !o->rigged()          ? Fate(*o)
                                : o->warnings.empty() ? "good"
                                                      : fmt::format("look at {}", fmt::join(o->warnings, ", "));
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", o->name, o->vertices, o->joints.size(),
                        Percent(o->mean), o->rigged() ? fmt::format("{}", o->outside) : "", Percent(o->volume, 1),
                        Percent(o->motion_volume, 1), verdict);
  }
  text += "\n";
  for (const RigOutcome* o : row.outcomes()) {
    if (o->refused()) text += fmt::format("- {}\n", o->refusal);
  }
  return text + (row.Count(Refused) > 0 ? "\n" : "");
}

std::string VerdictText(const RigSurvey& survey) {
  const Row others(survey.outcomes, [](const RigOutcome& o) { return !o.failed() && o.group == kGroupOthers; });
  const Row bipeds(survey.outcomes, [](const RigOutcome& o) { return !o.failed() && o.group != kGroupOthers; });
  const auto share = [](int part, int whole) {
    return whole == 0 ? "none" : fmt::format("{:.1f}%", 100.0 * part / whole);
  };
  std::string text = "| verdicts | of | share |\n|---|---|---|\n";
  text += fmt::format("| no bipeds that are accepted | {} | {} |\n", others.count(),
                      share(others.count() - others.Count(Refused), others.count()));
  text += fmt::format("| bipeds that are refused | {} | {} |\n", bipeds.count(),
                      share(bipeds.Count(Refused), bipeds.count()));
  const Row wrong(survey.outcomes, [](const RigOutcome& o) { return o.rigged() && o.mean > kWrong; });
  const Row right(survey.outcomes, [](const RigOutcome& o) { return o.rigged() && o.mean >= 0 && o.mean < kRight; });
  text += fmt::format("| joints over 3% off, with a warning | {} | {} |\n", wrong.count(),
                      share(wrong.Count(Warned), wrong.count()));
  text += fmt::format("| joints under 1% off, with a warning | {} | {} |\n", right.count(),
                      share(right.Count(Warned), right.count()));
  return text + "\n";
}

// Bodies without an answer, which count in no share.
std::string FailureText(const RigSurvey& survey) {
  std::string text;
  for (const std::vector<RigOutcome>* outcomes : {&survey.outcomes, &survey.remeshed.outcomes}) {
    for (const RigOutcome& o : *outcomes) {
      if (o.failed()) text += fmt::format("- {} ({}) failed: {}\n", o.name, o.group, o.failure);
    }
  }
  return text.empty() ? "" : "These count in no share:\n\n" + text + "\n";
}

}  // namespace

std::string MarkdownOf(const RigSurvey& survey) {
  std::string text =
      JointTable(survey) + HeatTable(survey) + MushTable(survey) + RemeshTable(survey.remeshed) + FileTable(survey);
  if (!survey.outcomes.empty()) text += VerdictText(survey);
  return text + FailureText(survey);
}

}  // namespace sinew::rigsurvey
