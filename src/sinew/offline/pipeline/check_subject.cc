#include "sinew/offline/pipeline/check_subject.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/inspect/inspect_character.h"

namespace sinew::pipeline {
namespace {

using inspect::Finding;
using inspect::Severity;

std::string SentenceOf(const Finding& finding) {
  return fmt::format("{}: {} ({}); {}", finding.where, finding.problem, finding.code, finding.remedy);
}

// A part without triangles only shows nothing; a character without any is refused elsewhere.
bool IsFatal(const Finding& finding) { return finding.severity == Severity::kError && finding.code != "no-triangles"; }

// Names the first few of a list.
std::string FirstOf(const std::vector<std::string>& names) {
  constexpr size_t kShown = 5;
  const std::vector<std::string> first(names.begin(), names.begin() + std::min(names.size(), kShown));
  return fmt::format("{}{}", fmt::join(first, ", "), names.size() > kShown ? ", ..." : "");
}

}  // namespace

SubjectCheck CheckSubject(const Character& character, bool weighted) {
  const inspect::CharacterInspection found = inspect::InspectCharacter(character);
  SubjectCheck check;
  for (const Finding& finding : found.findings) {
    if (finding.severity == Severity::kNote) continue;
    if (IsFatal(finding)) {
      if (check.error.empty()) check.error = fmt::format("{}: {}", finding.where, finding.problem);
    } else if (weighted || finding.code != "joints-outside-skin") {
      check.warnings.push_back(SentenceOf(finding));
    }
  }
  // Without weights, inspection cannot tell joints that move something from tips and roots.
  const std::vector<std::string>& outside = found.skeleton.outside_skin;
  if (weighted || outside.empty()) return check;
  const std::string sentence = fmt::format("{} of {} joints stand outside of the mesh ({})", outside.size(),
                                           found.skeleton.joints, FirstOf(outside));
  if (2 * outside.size() > static_cast<size_t>(found.skeleton.joints) && found.skeleton.joints > 2) {
    if (check.error.empty()) check.error = sentence + ", so that it does not stand in the mesh that it is to move";
  } else {
    check.warnings.push_back(sentence + "; usual for tips and roots, otherwise move them inside");
  }
  return check;
}

}  // namespace sinew::pipeline
