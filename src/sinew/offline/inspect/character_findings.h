// From the numbers of an inspection to sentences: what is wrong, and what to do.
#ifndef SINEW_OFFLINE_INSPECT_CHARACTER_FINDINGS_H_
#define SINEW_OFFLINE_INSPECT_CHARACTER_FINDINGS_H_

#include "sinew/offline/inspect/inspect_character.h"

namespace sinew::inspect {

// found: complete but for its findings.
Findings CharacterFindings(const CharacterInspection& found, const std::vector<std::string>& read_warnings);

}  // namespace sinew::inspect

#endif  // SINEW_OFFLINE_INSPECT_CHARACTER_FINDINGS_H_
