// The true shapes of datasets on every level of a hierarchy, as a truth file.
#ifndef SINEW_OFFLINE_VIEW_MAKE_TRUTH_H_
#define SINEW_OFFLINE_VIEW_MAKE_TRUTH_H_

#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/lod/hierarchy.h"
#include "sinew/offline/view/truth_file.h"

namespace sinew::view {

// max_frames: of all datasets together, each with its share. Those of motions first, since one wants to see them play,
// the others spread evenly over the rest; a frame of 75,000 vertices takes 0.6 MB. Throws InputError where a dataset is
// of another character than the hierarchy, or has no shape.
Bytes MakeTruth(std::span<const dataset::Dataset> datasets, const lod::Hierarchy& hierarchy, int max_frames);

}  // namespace sinew::view

#endif  // SINEW_OFFLINE_VIEW_MAKE_TRUTH_H_
