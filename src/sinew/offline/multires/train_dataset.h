// Training from a dataset to a deformer on disk, with checkpoints from which a killed run can resume.
#ifndef SINEW_OFFLINE_MULTIRES_TRAIN_DATASET_H_
#define SINEW_OFFLINE_MULTIRES_TRAIN_DATASET_H_

#include <filesystem>
#include <string>

#include "sinew/offline/core/json.h"
#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/multires/train.h"

namespace sinew::multires {

// Settings that determine the result of training, in the form in which the deformer stores them. epsilon is that of the
// options, 0 included.
Json TrainSettings(const TrainOptions& options, const dataset::Dataset& dataset, const dataset::TrainingFrames& frames);
// The same for frames that are in no dataset. made: what the manifest of one would say of how they were made.
Json TrainSettings(const TrainOptions& options, const dataset::TrainingFrames& frames, double metres_per_unit,
                   const Json& made);

struct TrainedDataset {
  Training training;  // training.deformer.settings is `settings`
  Json settings;      // TrainSettings(), with the epsilon that was used
  Json levels;        // one object per level, lengths in millimetres
};

// Trains on all frames of the dataset that have a shape, and writes the deformer to the folder `output`, with a summary
// and the training curves in training.json. During training the checkpoint OUTPUT.partial holds the finished regions;
// with `resume`, training continues from it and gives the same bytes as an uninterrupted run. Throws InputError if the
// checkpoint is of other settings, frames or levels.
TrainedDataset TrainDataset(const std::filesystem::path& output, const lod::Hierarchy& hierarchy,
                            const dataset::Dataset& dataset, const TrainOptions& options, bool resume);

// Writes a trained deformer to the folder `output`, with a summary and the training curves in training.json, and logs
// what was left out. settings: TrainSettings(), with the epsilon that was used, which the deformer gets, too. Returns
// TrainedDataset::levels.
Json WriteTraining(const std::filesystem::path& output, const lod::Hierarchy& hierarchy, const Json& settings,
                   Training& training);

// Path of the checkpoint of TrainDataset().
std::filesystem::path PartialDeformer(const std::filesystem::path& output);

}  // namespace sinew::multires

#endif  // SINEW_OFFLINE_MULTIRES_TRAIN_DATASET_H_
