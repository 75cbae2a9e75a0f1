// Copies frames of one or several datasets into a new dataset.
#ifndef SINEW_OFFLINE_DATASET_COPY_FRAMES_H_
#define SINEW_OFFLINE_DATASET_COPY_FRAMES_H_

#include <filesystem>
#include <vector>

#include "sinew/offline/dataset/dataset.h"

namespace sinew::dataset {

struct FrameSource {
  const Dataset* dataset = nullptr;
  int frame = 0;       // index of the frame in `dataset`
  DatasetFrame entry;  // manifest entry of the copy, with indices into the new dataset's tables
};

// Writes a new dataset with these frames into `folder`, reading one frame at a time. start: manifest of the new dataset
// without frames. characters: dataset from which the files of the characters are copied. sources: sorted by their
// entries (Before()).
void CopyFrames(const std::filesystem::path& folder, const DatasetManifest& start, const Dataset& characters,
                const std::vector<FrameSource>& sources);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_COPY_FRAMES_H_
