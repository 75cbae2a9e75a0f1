// The options that the benchmarks of skinning weights share.
#ifndef SINEW_BENCH_SKIN_OPTIONS_H_
#define SINEW_BENCH_SKIN_OPTIONS_H_

#include <algorithm>
#include <cstdlib>
#include <string>

#include "sinew/offline/skincells/skin_character.h"

namespace sinew::skincells {

// False if the word is none of them.
inline bool TakeSkinOption(const std::string& word, const char* value, SkinOptions& options) {
  if (word == "--steps") {
    options.steps = std::max(1, std::atoi(value));
  } else if (word == "--follow") {
    options.smooth_vs_follow = std::atof(value);
  } else {
    return false;
  }
  return true;
}

}  // namespace sinew::skincells

#endif  // SINEW_BENCH_SKIN_OPTIONS_H_
