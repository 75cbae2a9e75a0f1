// Start of a dataset that is made frame by frame, or its continuation.
#ifndef SINEW_OFFLINE_DATASET_BEGIN_DATASET_H_
#define SINEW_OFFLINE_DATASET_BEGIN_DATASET_H_

#include <filesystem>

#include "sinew/offline/dataset/writer.h"

namespace sinew::dataset {

// Creates the dataset without frames, or checks that the existing one may be continued. start: its manifest without
// frames. Throws FailedError if `path` exists and must not be touched, InputError if the dataset to be continued is of
// another character, other poses or other settings; the message says which.
void BeginDataset(const std::filesystem::path& path, const DatasetManifest& start, const StoredCharacter& character,
                  bool resume);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_BEGIN_DATASET_H_
