// One thing that is wrong with a file, or worth knowing about it.
#ifndef SINEW_OFFLINE_INSPECT_FINDING_H_
#define SINEW_OFFLINE_INSPECT_FINDING_H_

#include <string>
#include <vector>

namespace sinew::inspect {

enum class Severity {
  kError,    // later stages cannot work with it
  kWarning,  // they can, and the result will show it
  kNote,     // as intended, perhaps
};

struct Finding {
  Severity severity = Severity::kNote;
  std::string code;     // for programs: "boundary-edges". docs/inspect.md lists them
  std::string where;    // which part, joint or file
  std::string problem;  // one sentence
  std::string remedy;   // what to do
};

using Findings = std::vector<Finding>;

const char* SeverityName(Severity severity);

// Worst first, otherwise in the order that they were found.
void SortFindings(Findings& findings);

}  // namespace sinew::inspect

#endif  // SINEW_OFFLINE_INSPECT_FINDING_H_
