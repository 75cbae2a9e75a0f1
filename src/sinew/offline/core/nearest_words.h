// Suggestions for a word that is not known: those of a list that are spelled most like it.
#ifndef SINEW_OFFLINE_CORE_NEAREST_WORDS_H_
#define SINEW_OFFLINE_CORE_NEAREST_WORDS_H_

#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// Returns at most `count` words of `known` that are nearest to `word` by edit distance (letters changed, left out or
// added), nearest first; words at the same distance in the order of `known`.
std::vector<std::string> NearestWords(std::string_view word, const std::vector<std::string>& known, size_t count);

// Returns the nearest word; an empty one if none is known.
std::string Nearest(std::string_view word, const std::vector<std::string>& known);

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_NEAREST_WORDS_H_
