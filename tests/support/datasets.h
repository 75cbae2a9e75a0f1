// Small datasets for tests.
#ifndef SINEW_TESTS_SUPPORT_DATASETS_H_
#define SINEW_TESTS_SUPPORT_DATASETS_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "sinew/offline/core/file.h"
#include "sinew/offline/dataset/make_frames.h"
#include "tests/support/rigs.h"

namespace sinew::testing {

dataset::StoredCharacter StoredTestCharacter(const RigOptions& options = {});

// Two motions with time and one of samples, one after another.
dataset::PoseSequence TestSequence(const Skeleton& skeleton, int frames_each, uint64_t seed = 1);

// A shape that says which frame it is of.
dataset::FrameTruth NumberedTruth(const dataset::StoredCharacter& stored, int i);

void WriteNumberedDataset(const std::filesystem::path& path, const dataset::StoredCharacter& stored,
                          const dataset::PoseSequence& sequence, const dataset::FrameRange& range,
                          int chunk_frames = 4);

// Every file below a folder, by its path there.
std::map<std::string, Bytes> FilesBelow(const std::filesystem::path& folder);

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_DATASETS_H_
