// Formatting of numbers, counted nouns and lists as English text.
#ifndef SINEW_OFFLINE_INSPECT_WORDING_H_
#define SINEW_OFFLINE_INSPECT_WORDING_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::inspect {

// Formats 26756 as "26,756".
std::string Grouped(int64_t number);

// Returns a number with its noun: "1 edge", "26,756 vertices".
std::string Counted(int64_t number, std::string_view noun);

// Returns a number with its noun and verb: "1 joint moves", "3 joints move".
std::string Verb(int64_t number, std::string_view noun, std::string_view singular, std::string_view plural);
inline std::string Have(int64_t number, std::string_view noun) { return Verb(number, noun, "has", "have"); }
inline std::string Are(int64_t number, std::string_view noun) { return Verb(number, noun, "is", "are"); }

// Joins items: "a, b, c and 4 more". shown: number of items listed before "and ... more".
std::string List(const std::vector<std::string>& items, size_t shown = 6);

}  // namespace sinew::inspect

#endif  // SINEW_OFFLINE_INSPECT_WORDING_H_
