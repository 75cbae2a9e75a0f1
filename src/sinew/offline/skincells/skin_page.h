// Makes the HTML report on a character's new weights: the course of each loss, the quality of deformation on poses that
// were not optimised on, the worst vertices and poses, joints that bleed, and pictures of these beside the old weights.
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
  // One character with two sets of weights, and the names of these on the page: "file", "skincells".
  const Character* before = nullptr;
  const Character* after = nullptr;
  std::string before_name, after_name;
  std::string file;  // file of the character, for the title and for errors
  const SkinReport* report = nullptr;
  uint64_t seed = 1;         // seed of the optimisation; the poses here are other ones
  int poses = 64;            // number of poses to measure on
  int worst_poses = 3;       // number of poses to show
  int worst_vertices = 12;   // number of vertices to list
  int picture_height = 420;  // pixels
};

struct SkinPage {
  std::string html;
  std::vector<std::pair<std::string, Bytes>> pictures;  // name without extension, PNG
  Quality before, after;
  int bleeding_before = 0, bleeding_after = 0;  // number of pairs of vertex and joint
};

// Makes the page. Where there is no OpenGL it says so in place of pictures.
SkinPage MakeSkinPage(const SkinPageInput& input);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_SKIN_PAGE_H_
