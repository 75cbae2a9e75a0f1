// Datasets from datasets: joining parts that were made apart, and setting frames aside to judge by.
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
  int frames = 0;
  int repeated = 0;  // frames that were in several parts, all alike
};
// All frames of the parts, in order, each once: parts of one run give the bytes that one run would have given. Whole or
// not at all; replaces an older dataset of that name, which may be one of the parts. Throws InputError for parts of
// other characters, settings or units, and for a frame that differs between parts; the sentence names both.
MergeSummary MergeDatasets(const std::filesystem::path& path, const std::vector<std::filesystem::path>& parts);

struct SplitOptions {
  DealOptions deal;
  std::vector<std::string> test_motions;  // go to the test side as a whole, beside its share of the others
};

struct Split {
  std::array<std::vector<int>, kSides> frames;  // in order
  int failed = 0;                               // left out because they have no shape
  int between = 0;                              // left out because they lie between two sides
};
// Throws UsageError if a motion that is named is not there, or a side that is asked for would be empty.
Split SplitFrames(const Dataset& dataset, const SplitOptions& options);

// A folder with train.dataset, validation.dataset and test.dataset, those without frames left out.
void WriteSplit(const std::filesystem::path& folder, const Dataset& dataset, const Split& split);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_SUBSETS_H_
