// Makes a truth file (truth_file.h) of the ground-truth shapes of datasets, on every level of a hierarchy.
#ifndef SINEW_OFFLINE_VIEW_MAKE_TRUTH_H_
#define SINEW_OFFLINE_VIEW_MAKE_TRUTH_H_

#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/lod/hierarchy.h"
#include "sinew/offline/view/truth_file.h"

namespace sinew::view {

// Returns the bytes of the file; a frame of 75,000 vertices takes 0.6 MB. Throws InputError if a dataset is of another
// character than the hierarchy, or has no shape.
// max_frames: largest number of frames of all datasets together, shared among them. Frames of motions are taken first,
// so that motions can be played; the remaining number is spread evenly over the other frames.
Bytes MakeTruth(std::span<const dataset::Dataset> datasets, const lod::Hierarchy& hierarchy, int max_frames);

}  // namespace sinew::view

#endif  // SINEW_OFFLINE_VIEW_MAKE_TRUTH_H_
