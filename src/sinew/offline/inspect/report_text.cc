#include "sinew/offline/inspect/report_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "sinew/offline/inspect/wording.h"

namespace sinew::inspect {
namespace {

constexpr size_t kColumns = 100;
// Width that the texts of a table have at least, also beside long names.
constexpr size_t kTextColumns = 40;

// Breaks text at spaces, before column `end`; lines after the first start with `indent` spaces.
std::string Wrap(const std::string& text, size_t first_column, size_t indent, size_t end = kColumns) {
  std::istringstream words(text);
  std::string out, word;
  size_t column = first_column;
  bool at_start = true;
  while (words >> word) {
    if (!at_start && column + 1 + word.size() > end) {
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

// Returns the rows with columns as wide as their content; the first is left-aligned, the others right-aligned.
std::vector<std::string> TableLines(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::vector<std::string> lines;
  for (const auto& row : rows) {
    std::string line = "  ";
    for (size_t c = 0; c < row.size(); ++c) {
      line += c == 0 ? fmt::format("{:<{}}", row[c], widths[c]) : fmt::format("  {:>{}}", row[c], widths[c]);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace

std::string FactLine(const std::string& label, const std::string& fact) {
  const std::string start = fmt::format("  {:<12}", label);
  return start + Wrap(fact, start.size(), start.size()) + "\n";
}

std::string TextTable(const std::vector<std::vector<std::string>>& rows) {
  std::string out;
  for (std::string line : TableLines(rows)) {
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string TextTable(const std::vector<std::vector<std::string>>& rows, const std::vector<std::string>& texts) {
  const std::vector<std::string> lines = TableLines(rows);
  std::string out;
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string start = lines[i] + "  ";
    std::string line =
        start + Wrap(texts[i], start.size(), start.size(), std::max(kColumns, start.size() + kTextColumns));
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
