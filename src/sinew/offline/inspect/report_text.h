// What the text reports of all kinds of files share.
#ifndef SINEW_OFFLINE_INSPECT_REPORT_TEXT_H_
#define SINEW_OFFLINE_INSPECT_REPORT_TEXT_H_

#include <string>
#include <vector>

#include "sinew/offline/core/json.h"
#include "sinew/offline/inspect/finding.h"

namespace sinew::inspect {

// "  label       fact", long facts continued below their start.
std::string FactLine(const std::string& label, const std::string& fact);

// Columns as wide as their content; the first to the left, the others to the right.
std::string TextTable(const std::vector<std::vector<std::string>>& rows);

// The list of findings under its heading; one line that says so if there are none.
std::string FindingsText(const Findings& findings);
Json FindingsJson(const Findings& findings);

}  // namespace sinew::inspect

#endif  // SINEW_OFFLINE_INSPECT_REPORT_TEXT_H_
