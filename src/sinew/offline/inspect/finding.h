// Finding: a problem of a file, or a fact worth knowing about it.
#ifndef SINEW_OFFLINE_INSPECT_FINDING_H_
#define SINEW_OFFLINE_INSPECT_FINDING_H_

#include <string>
#include <vector>

namespace sinew::inspect {

enum class Severity {
  kError,    // later stages cannot use the file
  kWarning,  // later stages can use it, but the result will suffer visibly
  kNote,     // possibly intended
};

struct Finding {
  Severity severity = Severity::kNote;
  std::string code;     // identifier for programs, such as "boundary-edges"; docs/inspect.md lists all
  std::string where;    // the part, joint or file concerned
  std::string problem;  // one sentence
  std::string remedy;   // what the user can do about it
};

using Findings = std::vector<Finding>;

const char* SeverityName(Severity severity);

// Sorts findings by severity, worst first; equally severe ones keep their order.
void SortFindings(Findings& findings);

}  // namespace sinew::inspect

#endif  // SINEW_OFFLINE_INSPECT_FINDING_H_
