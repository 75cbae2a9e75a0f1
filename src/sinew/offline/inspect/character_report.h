// Reports of a character inspection as JSON and as text. docs/inspect.md describes every key.
#ifndef SINEW_OFFLINE_INSPECT_CHARACTER_REPORT_H_
#define SINEW_OFFLINE_INSPECT_CHARACTER_REPORT_H_

#include <string>

#include "sinew/offline/core/json.h"
#include "sinew/offline/inspect/inspect_character.h"

namespace sinew::inspect {

Json ToJson(const CharacterInspection& found);
// Returns facts, then findings, in lines of at most 100 columns unless a name is longer.
std::string ToText(const CharacterInspection& found);

}  // namespace sinew::inspect

#endif  // SINEW_OFFLINE_INSPECT_CHARACTER_REPORT_H_
