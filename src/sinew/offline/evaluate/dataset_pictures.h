// Pictures of the frames of a dataset (ground truth) compared with linear blend skinning.
#ifndef SINEW_OFFLINE_EVALUATE_DATASET_PICTURES_H_
#define SINEW_OFFLINE_EVALUATE_DATASET_PICTURES_H_

#include <string>
#include <vector>

#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/render/picture.h"

namespace sinew::evaluate {

struct DatasetPictureOptions {
  std::vector<render::View> views = {render::ParseView("three-quarter")};
  int height = 900;  // height of one panel, pixels
  // Name of a joint whose surroundings the camera frames (render/focus.h). Empty: frames everything.
  std::string focus;
};

// Returns the character as a mesh without skeleton, with the given positions (one row per vertex, all parts in order)
// and normals computed from them.
Character AsMesh(const Character& character, const Points& shape);

// Draws one frame in three panels per view: skinned, ground truth, and the distance between the two in mm as colours on
// the ground truth. Throws UsageError if the frame does not exist or has no shape, or if the character has no joint
// options.focus.
render::Picture DrawFrame(const dataset::Dataset& dataset, int frame, const DatasetPictureOptions& options);

// Draws the `count` worst of `frames`, those with the largest root mean square distance from skinning, worst first: one
// panel per view and frame, with the distance in mm as colours on the ground truth. All `frames` must have a shape.
// Throws InputError if there are none, UsageError if the character has no joint options.focus.
render::Picture DrawWorst(const dataset::Dataset& dataset, const std::vector<int>& frames, int count,
                          const DatasetPictureOptions& options);

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_DATASET_PICTURES_H_
