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
  DatasetFrame entry;  // manifest entry of the copy; character and poses are indices into the new manifest's lists
};

// Writes a new dataset with these frames into `folder`, which must be empty or missing; one chunk of frames is in
// memory at a time. start: manifest of the new dataset without frames and chunks. characters: dataset whose characters'
// files are copied; its character i is character i of `start`. sources: sorted by their entries (Before()). Throws
// InputError if a file to be copied does not match its checksum.
void CopyFrames(const std::filesystem::path& folder, const DatasetManifest& start, const Dataset& characters,
                const std::vector<FrameSource>& sources);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_COPY_FRAMES_H_
