// Frames into a dataset, each an independent unit of work.
#ifndef SINEW_OFFLINE_DATASET_MAKE_FRAMES_H_
#define SINEW_OFFLINE_DATASET_MAKE_FRAMES_H_

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sinew/offline/core/json.h"
#include "sinew/offline/dataset/sequence.h"
#include "sinew/offline/dataset/writer.h"

namespace sinew::dataset {

// A dataset of one character without frames, to begin a DatasetWriter with.
DatasetManifest StartManifest(const StoredCharacter& character, const PoseSequence& sequence, Json settings);

struct FrameTruth {
  Points shape;         // anything if the frame failed
  std::string failure;  // empty: did not fail
  // More arrays of this frame, the same names, types and shapes for all frames.
  std::map<std::string, NpyArray> arrays;
};

struct MakeFramesOptions {
  std::string label;     // of the progress bar
  bool parallel = true;  // several calls of `make` at once
  // Frames that depend on those before them: each of these is made in order. None: every frame is for itself.
  std::vector<FrameRange> clips = {};
};

// Calls make(i) for each frame of [range) of the sequence that the dataset lacks, and writes a chunk as soon as its
// last frame is there. Which frames share a chunk depends on the range alone, so that a run that was ended and goes on
// gives the same bytes as one that was not. What `make` throws ends it; chunks that were written stay.
void MakeFrames(DatasetWriter& writer, const PoseSequence& sequence, const FrameRange& range,
                const MakeFramesOptions& options, const std::function<FrameTruth(int)>& make);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_MAKE_FRAMES_H_
