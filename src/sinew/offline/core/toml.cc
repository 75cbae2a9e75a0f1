#include "sinew/offline/core/toml.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/text.h"

namespace sinew {
namespace {

std::string_view Trimmed(std::string_view text) {
  const char* const spaces = " \t\r";
  const size_t first = text.find_first_not_of(spaces);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(spaces) - first + 1);
}

// Returns the line up to a # that is not inside a quoted text.
std::string_view WithoutComment(std::string_view line) {
  bool text = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (text && line[i] == '\\') {
      ++i;
    } else if (line[i] == '"') {
      text = !text;
    } else if (line[i] == '#' && !text) {
      return line.substr(0, i);
    }
  }
  return line;
}

// Reader of single lines, which are without comments and not empty.
class LineReader {
 public:
  LineReader(std::string file, std::string remedy) : file_(std::move(file)), remedy_(std::move(remedy)) {}

  void Read(std::string_view line, int number) {
    number_ = number;
    if (line.front() == '[') return ReadSection(line);
    ReadSetting(line);
  }

  std::vector<TomlSection> Take() { return std::move(sections_); }

 private:
  [[noreturn]] void Fail(const std::string& problem) const {
    throw InputError(file_, fmt::format("line {}", number_), problem, remedy_);
  }

  void ReadSection(std::string_view line) {
    if (line.back() != ']') Fail("begins a section with '[' that no ']' ends");
    line = line.substr(1, line.size() - 2);
    const bool listed = line.size() >= 2 && line.front() == '[' && line.back() == ']';
    if (listed) line = line.substr(1, line.size() - 2);
    sections_.push_back({.name = std::string(Trimmed(line)), .listed = listed, .line = number_, .settings = {}});
  }

  void ReadSetting(std::string_view line) {
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos) Fail("is neither [SECTION] nor KEY = VALUE");
    if (sections_.empty()) Fail("comes before any [SECTION]");
    const std::string_view key = Trimmed(line.substr(0, equals)), written = Trimmed(line.substr(equals + 1));
    if (key.empty()) Fail("has no key before '='");
    Json value = ParseTomlValue(written);
    if (value.is_discarded()) {
      Fail(fmt::format("'{}': '{}' is no number, flag, \"text\" in quotes or [list] of those", key, written));
    }
    sections_.back().settings.push_back({.key = std::string(key), .value = std::move(value), .line = number_});
  }

  std::string file_, remedy_;
  int number_ = 0;
  std::vector<TomlSection> sections_;
};

}  // namespace

Json ParseTomlValue(std::string_view text) {
  if (text.size() > 2 && text.front() == '[' && text.find_first_of("[{", 1) != std::string_view::npos) {
    return Json(Json::value_t::discarded);
  }
  return text.empty() || text.front() == '{' ? Json(Json::value_t::discarded) : Json::parse(text, nullptr, false);
}

std::vector<TomlSection> ParseToml(std::string_view text, const std::string& file, const std::string& remedy) {
  if (!IsUtf8(text)) throw InputError(file, "", "is not text in UTF-8", "save it as such");
  LineReader reader(file, remedy);
  for (int number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = Trimmed(WithoutComment(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty()) reader.Read(line, number);
  }
  return reader.Take();
}

}  // namespace sinew
