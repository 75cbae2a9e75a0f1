// Truths by formula: a dataset whose detail is known at every scale.
#ifndef SINEW_OFFLINE_DATASET_PROCEDURAL_H_
#define SINEW_OFFLINE_DATASET_PROCEDURAL_H_

#include <filesystem>

#include "sinew/offline/dataset/make_frames.h"
#include "sinew/offline/dataset/procedural_field.h"

namespace sinew::dataset {

// The field (procedural_field.h) added to the rest shape, skinned by the runtime's linear blend.
class ProceduralTruth {
 public:
  // The character must outlive it.
  ProceduralTruth(const Character& character, const ProceduralOptions& options);
  ~ProceduralTruth();

  // All parts in order, model space. Vertices in parallel; one call at a time.
  Points Shape(const Pose& pose);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A whole dataset, or none; replaces an older dataset of that name, and nothing else.
void WriteProceduralDataset(const std::filesystem::path& path, const StoredCharacter& character,
                            const PoseSequence& sequence, const FrameRange& range, const ProceduralOptions& options,
                            double metres_per_unit);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_PROCEDURAL_H_
