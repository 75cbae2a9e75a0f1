// Frames from datasets into a new one.
#ifndef SINEW_OFFLINE_DATASET_COPY_FRAMES_H_
#define SINEW_OFFLINE_DATASET_COPY_FRAMES_H_

#include <filesystem>
#include <vector>

#include "sinew/offline/dataset/dataset.h"

namespace sinew::dataset {

struct FrameSource {
  const Dataset* dataset = nullptr;
  int frame = 0;       // there
  DatasetFrame entry;  // as it will be, with indices into the new dataset's tables
};

// start: the new dataset without frames; its characters' files are taken from `characters`. sources: sorted by their
// entries (Before()). Frames are read one at a time.
void CopyFrames(const std::filesystem::path& folder, const DatasetManifest& start, const Dataset& characters,
                const std::vector<FrameSource>& sources);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_COPY_FRAMES_H_
