// Makes the HTML report that compares a character's new skinning weights with its old ones: the course of each loss,
// the quality of deformation on poses that were not optimised on, the worst vertices and poses, joints that bleed
// (drive vertices far from their bones, bleed.h), and pictures.
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
  // The character with its old and with its new weights, and the names of the two on the page, such as "file" and
  // "skincells".
  const Character* before = nullptr;
  const Character* after = nullptr;
  std::string before_name, after_name;
  std::string file;                    // file of the character, for the title and for errors
  const SkinReport* report = nullptr;  // how the new weights were made (skin_character.h); not null
  uint64_t seed = 1;         // seed that the optimisation used; the poses to measure on are drawn from another one
  int poses = 64;            // number of poses to measure on
  int worst_poses = 3;       // number of worst poses to show as pictures
  int worst_vertices = 12;   // number of worst vertices to list
  int picture_height = 420;  // pixels
};

struct SkinPage {
  std::string html;                                     // complete by itself: the pictures are embedded
  std::vector<std::pair<std::string, Bytes>> pictures;  // the same pictures as files: name without extension, PNG
  Quality before, after;
  int bleeding_before = 0, bleeding_after = 0;  // number of pairs of a vertex and a joint that bleeds onto it
};

// Makes the page. Without OpenGL the page has a warning in place of pictures.
SkinPage MakeSkinPage(const SkinPageInput& input);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_SKIN_PAGE_H_
