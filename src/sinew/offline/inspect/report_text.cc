#include "sinew/offline/inspect/report_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "sinew/offline/inspect/wording.h"

namespace sinew::inspect {
namespace {

constexpr size_t kColumns = 100;

// Breaks text at spaces; lines after the first start with `indent` spaces.
std::string Wrap(const std::string& text, size_t first_column, size_t indent) {
  std::istringstream words(text);
  std::string out, word;
  size_t column = first_column;
  bool at_start = true;
  while (words >> word) {
    if (!at_start && column + 1 + word.size() > kColumns) {
      out.append(1, '\n').append(indent, ' ');
      column = indent;
      at_start = true;
    }
    if (!at_start) out += ' ';
    column += word.size() + (at_start ? 0 : 1);
    out += word;
    at_start = false;
  }
  return out;
}

}  // namespace

std::string FactLine(const std::string& label, const std::string& fact) {
  const std::string start = fmt::format("  {:<12}", label);
  return start + Wrap(fact, start.size(), start.size()) + "\n";
}

std::string TextTable(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line = "  ";
    for (size_t c = 0; c < row.size(); ++c) {
      line += c == 0 ? fmt::format("{:<{}}", row[c], widths[c]) : fmt::format("  {:>{}}", row[c], widths[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string FindingsText(const Findings& findings) {
  if (findings.empty()) return "Findings: none\n";
  std::string out = fmt::format("Findings ({})\n", findings.size());
  for (const Finding& finding : findings) {
    const std::string start = fmt::format("  {:<8} ", SeverityName(finding.severity));
    const std::string sentence =
        fmt::format("{}: {}; {} [{}]", finding.where, finding.problem, finding.remedy, finding.code);
    out += start + Wrap(sentence, start.size(), start.size()) + "\n";
  }
  return out;
}

Json FindingsJson(const Findings& findings) {
  Json list = Json::array();
  for (const Finding& finding : findings) {
    list.push_back({{"severity", SeverityName(finding.severity)},
                    {"code", finding.code},
                    {"where", finding.where},
                    {"problem", finding.problem},
                    {"remedy", finding.remedy}});
  }
  return list;
}

}  // namespace sinew::inspect
