// Turns the numbers of a character inspection into findings: sentences that name a problem and its remedy.
#ifndef SINEW_OFFLINE_INSPECT_CHARACTER_FINDINGS_H_
#define SINEW_OFFLINE_INSPECT_CHARACTER_FINDINGS_H_

#include "sinew/offline/inspect/inspect_character.h"

namespace sinew::inspect {

// Returns the findings, worst first.
// found: complete except for its findings, which are ignored.
// read_warnings: warnings of the file's reader; each becomes a finding.
Findings CharacterFindings(const CharacterInspection& found, const std::vector<std::string>& read_warnings);

}  // namespace sinew::inspect

#endif  // SINEW_OFFLINE_INSPECT_CHARACTER_FINDINGS_H_
