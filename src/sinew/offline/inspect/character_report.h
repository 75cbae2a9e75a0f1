// An inspection as JSON and as text. docs/inspect.md describes every key.
#ifndef SINEW_OFFLINE_INSPECT_CHARACTER_REPORT_H_
#define SINEW_OFFLINE_INSPECT_CHARACTER_REPORT_H_

#include <string>

#include "sinew/offline/core/json.h"
#include "sinew/offline/inspect/inspect_character.h"

namespace sinew::inspect {

Json ToJson(const CharacterInspection& found);
// Facts, then findings; lines of at most 100 columns where names allow it.
std::string ToText(const CharacterInspection& found);

}  // namespace sinew::inspect

#endif  // SINEW_OFFLINE_INSPECT_CHARACTER_REPORT_H_
