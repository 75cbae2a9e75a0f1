// Procedural ground truth: datasets whose detail is given by a formula, and so known at every scale.
#ifndef SINEW_OFFLINE_DATASET_PROCEDURAL_H_
#define SINEW_OFFLINE_DATASET_PROCEDURAL_H_

#include <filesystem>

#include "sinew/offline/dataset/make_frames.h"
#include "sinew/offline/dataset/procedural_field.h"

namespace sinew::dataset {

// Rest shape plus the procedural field (procedural_field.h), skinned by the runtime's linear blend skinning.
class ProceduralTruth {
 public:
  // The character must outlive this object.
  ProceduralTruth(const Character& character, const ProceduralOptions& options);
  ~ProceduralTruth();

  // Returns the ground truth in a pose: model space, one row per vertex, all parts in order. Parallel over vertices;
  // must not be called from two threads at once.
  Points Shape(const Pose& pose);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Writes a dataset of the frames in the range, atomically. Replaces an older dataset at `path`, but nothing else.
void WriteProceduralDataset(const std::filesystem::path& path, const StoredCharacter& character,
                            const PoseSequence& sequence, const FrameRange& range, const ProceduralOptions& options,
                            double metres_per_unit);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_PROCEDURAL_H_
