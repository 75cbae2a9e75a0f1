// Some frames of a dataset, such as one side of a corpus, in the form that training and evaluation take.
#ifndef SINEW_OFFLINE_DATASET_CHOSEN_FRAMES_H_
#define SINEW_OFFLINE_DATASET_CHOSEN_FRAMES_H_

#include <vector>

#include "sinew/offline/dataset/training_frames.h"

namespace sinew::dataset {

// Returns FramesOf() of these frames alone. chosen: their indices in the dataset, increasing. Throws InputError as
// FramesOf() does, if nothing is chosen, and for a chosen frame that is not there or has no shape. The dataset must
// outlive the frames.
TrainingFrames ChosenFrames(const Dataset& dataset, const lod::Hierarchy& hierarchy, const std::vector<int>& chosen);

// Throws InputError for a chosen frame that is not there or has no shape.
void RequireShapes(const Dataset& dataset, const std::vector<int>& chosen);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_CHOSEN_FRAMES_H_
