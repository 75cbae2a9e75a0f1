// Shapes that another program computed for the frames of a dataset, judged as a method.
#ifndef SINEW_OFFLINE_EVALUATE_RECORDED_METHOD_H_
#define SINEW_OFFLINE_EVALUATE_RECORDED_METHOD_H_

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/evaluate/methods.h"

namespace sinew::evaluate {

// Opens a file of shapes as a method for the frames that dataset::FramesOf() returns. file: an array (.npy) of frames x
// vertices x 3, or a point cache (.pc2, .mdd): one shape per frame of the dataset, those that failed included, in model
// space and the dataset's unit, vertices in the order of the character's file. Coarser levels are coarsened from it as
// the truth is. Throws InputError for other numbers of frames or vertices and for a dataset of several characters; the
// method itself throws it for a position that is not finite. The hierarchy must outlive the method.
Method RecordedMethod(const std::string& name, const std::filesystem::path& file, const dataset::Dataset& dataset,
                      const lod::Hierarchy& hierarchy);
// The same for frames of which some are measured (dataset::ChosenFrames()); the file still has all of them.
Method RecordedMethod(const std::string& name, const std::filesystem::path& file, const dataset::Dataset& dataset,
                      const lod::Hierarchy& hierarchy, const std::vector<int>& chosen);

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_RECORDED_METHOD_H_
