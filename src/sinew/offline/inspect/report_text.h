// Building blocks of the text reports of all kinds of files.
#ifndef SINEW_OFFLINE_INSPECT_REPORT_TEXT_H_
#define SINEW_OFFLINE_INSPECT_REPORT_TEXT_H_

#include <string>
#include <vector>

#include "sinew/offline/core/json.h"
#include "sinew/offline/inspect/finding.h"

namespace sinew::inspect {

// Returns the line "  label       fact"; long facts are wrapped and continue below their start.
std::string FactLine(const std::string& label, const std::string& fact);

// Formats rows as a table with columns as wide as their content; the first is left-aligned, the others right-aligned.
std::string TextTable(const std::vector<std::vector<std::string>>& rows);
// The same with a last column of text that is left-aligned and wrapped. texts: one per row.
std::string TextTable(const std::vector<std::vector<std::string>>& rows, const std::vector<std::string>& texts);

// Returns the list of findings below a heading, or one line that says that there are none.
std::string FindingsText(const Findings& findings);
Json FindingsJson(const Findings& findings);

}  // namespace sinew::inspect

#endif  // SINEW_OFFLINE_INSPECT_REPORT_TEXT_H_
