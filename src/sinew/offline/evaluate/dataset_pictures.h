// Truths beside linear blend skinning, to look at.
#ifndef SINEW_OFFLINE_EVALUATE_DATASET_PICTURES_H_
#define SINEW_OFFLINE_EVALUATE_DATASET_PICTURES_H_

#include <string>
#include <vector>

#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/render/picture.h"

namespace sinew::evaluate {

struct DatasetPictureOptions {
  std::vector<render::View> views = {render::ParseView("three-quarter")};
  int height = 900;   // of one panel, pixels
  std::string focus;  // frames only what this joint and those below it carry; empty: everything
};

// The character as a plain mesh of this shape, with normals of its own.
Character AsMesh(const Character& character, const Points& shape);

// One frame: skinned, true, and the distance between the two as colours on the true shape.
render::Picture DrawFrame(const dataset::Dataset& dataset, int frame, const DatasetPictureOptions& options);

// The `count` frames of these that are furthest from skinning (root mean square), furthest first, as colours on the
// true shape.
render::Picture DrawWorst(const dataset::Dataset& dataset, const std::vector<int>& frames, int count,
                          const DatasetPictureOptions& options);

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_DATASET_PICTURES_H_
