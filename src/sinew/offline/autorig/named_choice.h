// Choices that are given by their names.
#ifndef SINEW_OFFLINE_AUTORIG_NAMED_CHOICE_H_
#define SINEW_OFFLINE_AUTORIG_NAMED_CHOICE_H_

#include <string>
#include <vector>

namespace sinew::autorig {

// Returns the place of a word in a list. Throws UsageError, with the nearest word, for one that is not there. what: for
// the message, such as "offset block".
size_t IndexOfWord(const std::string& word, const std::vector<std::string>& words, const char* what);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_NAMED_CHOICE_H_
