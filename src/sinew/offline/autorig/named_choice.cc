#include "sinew/offline/autorig/named_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/nearest_words.h"

namespace sinew::autorig {

size_t IndexOfWord(const std::string& word, const std::vector<std::string>& words, const char* what) {
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) {
    throw UsageError(fmt::format("there is no {} '{}'; the nearest is '{}'", what, word, Nearest(word, words)));
  }
  return static_cast<size_t>(found - words.begin());
}

}  // namespace sinew::autorig
