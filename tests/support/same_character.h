// Whether two characters hold the same things, bit for bit; where they do not, the test says which.
#ifndef SINEW_TESTS_SUPPORT_SAME_CHARACTER_H_
#define SINEW_TESTS_SUPPORT_SAME_CHARACTER_H_

#include <string>
#include <vector>

#include "sinew/offline/character/character.h"

namespace sinew::testing {

// What differs; empty if nothing does. Where in a document things were is not compared.
std::vector<std::string> Differences(const Character& a, const Character& b);

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_SAME_CHARACTER_H_
