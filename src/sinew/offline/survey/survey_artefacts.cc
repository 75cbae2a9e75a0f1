#include "sinew/offline/survey/survey_artefacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::survey {
namespace {

std::optional<double> FlickerOf(const Survey& survey, size_t method) {
  double squares = 0;
  int bodies = 0;
  for (const MeasuredBody& body : survey.bodies) {
    const std::optional<double>& flicker = body.evaluation.errors[method].back().flicker;
    if (!flicker) continue;
    squares += std::pow(body.to_mm * *flicker, 2);
    ++bodies;
  }
  return bodies > 0 ? std::optional<double>(std::sqrt(squares / bodies)) : std::nullopt;
}

// Mean over the bodies on which crossings were counted. count(crossings): those of a body.
template <typename Count>
std::optional<double> MeanCrossings(const Survey& survey, const Count& count) {
  double sum = 0;
  int bodies = 0;
  for (const MeasuredBody& body : survey.bodies) {
    if (body.evaluation.crossings.frames == 0) continue;
    sum += count(body.evaluation.crossings);
    ++bodies;
  }
  return bodies > 0 ? std::optional<double>(sum / bodies) : std::nullopt;
}

std::optional<double> ShareOf(const std::optional<double>& value, const std::optional<double>& linear) {
  return value && linear && *linear > 0 ? std::optional<double>(*value / *linear) : std::nullopt;
}

// Errors that are not to be seen do not make a region worse, whatever they are divided by.
void FindWorse(const MeasuredBody& body, size_t method, Artefacts& artefacts) {
  for (const evaluate::JointRegion& region : body.evaluation.regions.back()) {
    const double linear = region.rms[0], rms = region.rms[method];
    if (rms <= Artefacts::kWorse * linear || rms <= body.evaluation.exact()) continue;
    const double share = linear > 0 ? rms / linear : std::numeric_limits<double>::infinity();
    artefacts.worse.push_back({body.body.name, region.joint, region.share, share});
    artefacts.worse_surface += region.share;
  }
}

std::string Cell(const std::optional<double>& value) { return value ? fmt::format("{:.3f}", *value) : "-"; }

std::string NamesOf(const std::vector<WorseRegion>& worse, size_t most) {
  std::string text;
  for (size_t i = 0; i < std::min(most, worse.size()); ++i) {
    text += fmt::format("{}{} of {} {:.2f}", i == 0 ? "" : ", ", worse[i].joint, worse[i].body, worse[i].share);
  }
  if (worse.size() > most) text += fmt::format(", and {} more", worse.size() - most);
  return text;
}

}  // namespace

std::vector<Artefacts> FindArtefacts(const Survey& survey) {
  std::vector<Artefacts> all(survey.methods.size());
  for (size_t m = 0; m < all.size(); ++m) {
    Artefacts& one = all[m];
    one.flicker = FlickerOf(survey, m);
    one.flicker_share = ShareOf(one.flicker, all[0].flicker);
    one.crossings = MeanCrossings(survey, [m](const evaluate::Crossings& found) { return found.methods[m]; });
    one.crossings_share = ShareOf(one.crossings, all[0].crossings);
    for (const MeasuredBody& body : survey.bodies) FindWorse(body, m, one);
    one.worse_surface /= static_cast<double>(std::max<size_t>(survey.bodies.size(), 1));
    std::stable_sort(one.worse.begin(), one.worse.end(),
                     [](const WorseRegion& a, const WorseRegion& b) { return a.share > b.share; });
  }
  return all;
}

std::optional<double> CrossingsOfTruth(const Survey& survey) {
  return MeanCrossings(survey, [](const evaluate::Crossings& found) { return found.truth; });
}

std::vector<std::string> ArtefactHeader() {
  return {"method", "flicker mm", "share", "crossing pairs", "share", "worse surface", "worse regions"};
}

std::vector<std::vector<std::string>> ArtefactCells(const Survey& survey, size_t most) {
  std::vector<std::vector<std::string>> rows;
  const std::vector<Artefacts> all = FindArtefacts(survey);
  for (size_t m = 0; m < all.size(); ++m) {
    const Artefacts& one = all[m];
    rows.push_back({survey.methods[m], Cell(one.flicker), Cell(one.flicker_share), Cell(one.crossings),
                    Cell(one.crossings_share), fmt::format("{:.1f}%", 100 * one.worse_surface),
                    NamesOf(one.worse, most)});
  }
  return rows;
}

}  // namespace sinew::survey
