// Computes the frames of a dataset in parallel and writes them in chunks.
#ifndef SINEW_OFFLINE_DATASET_MAKE_FRAMES_H_
#define SINEW_OFFLINE_DATASET_MAKE_FRAMES_H_

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sinew/offline/core/json.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/dataset/sequence.h"
#include "sinew/offline/dataset/writer.h"

namespace sinew::dataset {

// Returns the manifest of a dataset of one character without frames, to construct a DatasetWriter with. settings: how
// the shapes are made (DatasetManifest::settings).
DatasetManifest StartManifest(const StoredCharacter& character, const PoseSequence& sequence, Json settings);

// Ground truth of one frame.
struct FrameTruth {
  Points shape;         // model space, all parts in order; ignored if the frame failed
  std::string failure;  // reason why the frame failed; empty: it did not
  // Further arrays of this frame; names, types and shapes must be the same for all frames.
  std::map<std::string, NpyArray> arrays;
};

struct MakeFramesOptions {
  std::string label;  // label of the progress bar
  // Progress bar of a larger work that counts these frames, too; null: they have one of their own. It must exist for as
  // long as MakeFrames() runs.
  Progress* progress = nullptr;
  // Asked before every frame; once it returns true, no further frame is begun. Empty: all frames are made.
  std::function<bool()> stop = {};
  bool parallel = true;  // whether `make` may be called from several threads at once
  // Clips whose frames depend on the frames before them: the frames of each are made in order, on one thread. Empty:
  // all frames are independent.
  std::vector<FrameRange> clips = {};
};

// Calls make(i) for each frame i of the range that the dataset lacks, and writes a chunk as soon as all of its frames
// are made. The range alone determines which frames share a chunk, so that a run that was stopped and resumed gives the
// same bytes as one that was not. An exception from `make` ends the run and is rethrown; chunks already written stay.
void MakeFrames(DatasetWriter& writer, const PoseSequence& sequence, const FrameRange& range,
                const MakeFramesOptions& options, const std::function<FrameTruth(int)>& make);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_MAKE_FRAMES_H_
