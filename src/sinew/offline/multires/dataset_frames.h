// The frames of a dataset as training and evaluation take them.
#ifndef SINEW_OFFLINE_MULTIRES_DATASET_FRAMES_H_
#define SINEW_OFFLINE_MULTIRES_DATASET_FRAMES_H_

#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/multires/train.h"

namespace sinew {

// The frames that have a shape. Throws InputError where there is none, and where the dataset is of another character
// than the hierarchy's finest level. The dataset must outlive the frames.
TrainingFrames FramesOf(const Dataset& dataset, const Hierarchy& hierarchy);

}  // namespace sinew

#endif  // SINEW_OFFLINE_MULTIRES_DATASET_FRAMES_H_
