// Pictures of the ground truth of a dataset beside linear blend skinning.
#ifndef SINEW_OFFLINE_EVALUATE_DATASET_PICTURES_H_
#define SINEW_OFFLINE_EVALUATE_DATASET_PICTURES_H_

#include <string>
#include <vector>

#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/render/picture.h"

namespace sinew::evaluate {

struct DatasetPictureOptions {
  std::vector<render::View> views = {render::ParseView("three-quarter")};
  int height = 900;   // height of one panel, pixels
  std::string focus;  // name of a joint: draws only what it and the joints below it carry; empty: everything
};

// Returns the character as a mesh without skeleton, with the given positions and normals computed from them.
Character AsMesh(const Character& character, const Points& shape);

// Draws one frame: skinned, ground truth, and the distance between the two as colours on the ground truth. Throws
// UsageError if the frame does not exist or has no shape, or if the character has no joint options.focus.
render::Picture DrawFrame(const dataset::Dataset& dataset, int frame, const DatasetPictureOptions& options);

// Draws the `count` of these frames that are furthest from skinning (root mean square), furthest first, with the
// distance as colours on the ground truth. Throws UsageError if `frames` is empty.
render::Picture DrawWorst(const dataset::Dataset& dataset, const std::vector<int>& frames, int count,
                          const DatasetPictureOptions& options);

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_DATASET_PICTURES_H_
