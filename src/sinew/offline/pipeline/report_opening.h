// Pictures at the top of a build's page, and those of everyday poses: skinning, truth and Sinew side by side.
#ifndef SINEW_OFFLINE_PIPELINE_REPORT_OPENING_H_
#define SINEW_OFFLINE_PIPELINE_REPORT_OPENING_H_

#include <vector>

#include "sinew/offline/pipeline/judged_set.h"
#include "sinew/offline/report/page.h"

namespace sinew::pipeline {

struct OpeningInput {
  const lod::Hierarchy* hierarchy = nullptr;
  const runtime::Bundle* bundle = nullptr;
  const JudgedSet* everyday = nullptr;        // may be null: the character is no biped, or no pose has a true shape
  std::vector<const JudgedSet*> unseen = {};  // other frames that the build is judged by
  int picture_height = 600;                   // of one body in the page's other pictures, pixels
};

// Adds the section that opens the page. With everyday poses: a body that sits and one that reaches up, whole, and then
// the three joints that gain most, each of another kind and in the everyday pose in which it gains most, from near.
// Without: the frame that gains most, whole and from near. Gain is the distance from the truth that skinning has more
// than Sinew. Adds nothing if no frame gains anything, as where skinning is exact.
void AddOpening(const OpeningInput& input, report::Page& page);

// Adds a picture of every everyday pose, of which there must be some.
void AddEverydayPictures(const OpeningInput& input, report::Page& page);

// Number of bodies of the pictures of both functions together, of the size of the page's other pictures.
int BodiesOfOpening(bool biped);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_REPORT_OPENING_H_
