// Merging of datasets that were made in parts, and splitting of a dataset into training, validation and test frames.
#ifndef SINEW_OFFLINE_DATASET_SUBSETS_H_
#define SINEW_OFFLINE_DATASET_SUBSETS_H_

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/dataset/split_frames.h"

namespace sinew::dataset {

struct MergeSummary {
  int frames = 0;    // frames of the merged dataset
  int repeated = 0;  // duplicates that were dropped: frames that several parts have, identical in all of them
};
// Writes all frames of the parts, in order and each once, to a dataset at `path`. Parts of one run give the same bytes
// as a single run. The dataset is written atomically and replaces an older dataset of that name, which may be one of
// the parts. Throws InputError for parts that differ in characters, settings or units, and for a frame that differs
// between parts; the message names both.
MergeSummary MergeDatasets(const std::filesystem::path& path, const std::vector<std::filesystem::path>& parts);

struct SplitOptions {
  DealOptions deal;
  // Motions that go to the test side as a whole, besides its share of the others.
  std::vector<std::string> test_motions;
};

struct Split {
  std::array<std::vector<int>, kSides> frames;  // indices of each side's frames, increasing
  int failed = 0;                               // number of frames left out because they have no shape
  int between = 0;                              // number of frames left out because they are too near to another side
};
// Splits the frames of a dataset that have a shape (split_frames.h). Throws UsageError if the dataset lacks one of
// test_motions, or if a side with a share above 0 would be empty.
Split SplitFrames(const Dataset& dataset, const SplitOptions& options);

// Writes a folder with train.dataset, validation.dataset and test.dataset, leaving out those without frames. The folder
// is written atomically, and replaces an older split at its path.
void WriteSplit(const std::filesystem::path& folder, const Dataset& dataset, const Split& split);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_SUBSETS_H_
