#include "sinew/offline/core/json.h"

#include <fmt/format.h>

#include <vector>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/text.h"

namespace sinew {
namespace {

constexpr size_t kMaxDepth = 100;
constexpr size_t kMaxKeys = 20'000;

// Copying and printing a Json recurse, and inserting a key searches all earlier ones: both are bounded before parsing.
void CheckShape(std::string_view text, const std::string& file) {
  std::vector<size_t> keys;  // per open bracket
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (keys.size() == kMaxDepth) {
        throw InputError(file, fmt::format("JSON byte {}", i), fmt::format("is nested deeper than {}", kMaxDepth), "");
      }
      keys.push_back(0);
    } else if ((c == '}' || c == ']') && !keys.empty()) {
      keys.pop_back();
    } else if (c == ':' && !keys.empty() && ++keys.back() > kMaxKeys) {
      throw InputError(file, fmt::format("JSON byte {}", i), fmt::format("is in an object of over {} keys", kMaxKeys),
                       "");
    }
  }
}

// Returns what the library says is wrong, without its own numbering ("[json.exception.parse_error.101] parse error at
// line 3, column 7: ..."), and shortened: it quotes what it last read, which may be the rest of the file.
std::string ProblemOf(const Json::exception& error) {
  constexpr size_t kMaxProblem = 300;
  const std::string what = ToUtf8(error.what());
  const size_t bracket = what.find("] ");
  return Shortened(bracket == std::string::npos ? what : what.substr(bracket + 2), kMaxProblem);
}

}  // namespace

Json ParseJson(std::string_view text, const std::string& file) {
  CheckShape(text, file);
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    throw InputError(file, "JSON", ProblemOf(error), "the file is damaged or cut short: export it again");
  }
}

}  // namespace sinew
