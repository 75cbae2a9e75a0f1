// One page about a character's new weights: what each loss did, how the weights deform on poses that nobody optimised
// for, where they are worst, which joints bleed, and pictures of all that beside the weights there were before.
#ifndef SINEW_OFFLINE_SKINCELLS_SKIN_PAGE_H_
#define SINEW_OFFLINE_SKINCELLS_SKIN_PAGE_H_

#include <string>
#include <utility>
#include <vector>

#include "sinew/offline/core/file.h"
#include "sinew/offline/skincells/quality.h"
#include "sinew/offline/skincells/skin_character.h"

namespace sinew::skincells {

struct SkinPageInput {
  // The same character with two sets of weights, and what to call them: "file", "skincells".
  const Character* before = nullptr;
  const Character* after = nullptr;
  std::string before_name, after_name;
  std::string file;  // of the character, for the title and for errors
  const SkinReport* report = nullptr;
  uint64_t seed = 1;    // of the optimisation: the poses here are others
  int poses = 64;       // to measure on
  int worst_poses = 3;  // to show
  int worst_vertices = 12;
  int picture_height = 420;
};

struct SkinPage {
  std::string html;
  std::vector<std::pair<std::string, Bytes>> pictures;  // name without extension, PNG
  Quality before, after;
  int bleeding_before = 0, bleeding_after = 0;  // pairs of vertex and joint
};

// Where there is no OpenGL the page says so in place of pictures.
SkinPage MakeSkinPage(const SkinPageInput& input);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_SKIN_PAGE_H_
