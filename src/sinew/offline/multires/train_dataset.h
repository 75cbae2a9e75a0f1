// From a dataset to a deformer on disk: training that a kill does not undo.
#ifndef SINEW_OFFLINE_MULTIRES_TRAIN_DATASET_H_
#define SINEW_OFFLINE_MULTIRES_TRAIN_DATASET_H_

#include <filesystem>
#include <string>

#include "sinew/offline/core/json.h"
#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/multires/train.h"

namespace sinew::multires {

// All that decides over a training, as it is kept with the deformer; epsilon as it was asked for.
Json TrainSettings(const TrainOptions& options, const dataset::Dataset& dataset, const dataset::TrainingFrames& frames);

struct TrainedDataset {
  Training training;  // its deformer has its settings
  Json settings;      // all that decided over it
  Json levels;        // one object a level, lengths in millimetres
};

// Trains on all frames of the dataset that have a shape, and writes the deformer to the folder `output`, with a summary
// and the training curves beside it. Meanwhile OUTPUT.partial holds what is finished: with `resume`, it is gone on from
// and the result is the same bytes. Throws InputError if it is of other settings, frames or levels.
TrainedDataset TrainDataset(const std::filesystem::path& output, const lod::Hierarchy& hierarchy,
                            const dataset::Dataset& dataset, const TrainOptions& options, bool resume);

// Where TrainDataset() keeps what is finished.
std::filesystem::path PartialDeformer(const std::filesystem::path& output);

}  // namespace sinew::multires

#endif  // SINEW_OFFLINE_MULTIRES_TRAIN_DATASET_H_
