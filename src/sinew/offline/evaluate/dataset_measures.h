// How much there is to learn in a dataset: how far the truths are from linear blend skinning, and on which level of a
// hierarchy what they add lies.
#ifndef SINEW_OFFLINE_EVALUATE_DATASET_MEASURES_H_
#define SINEW_OFFLINE_EVALUATE_DATASET_MEASURES_H_

#include <vector>

#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/lod/hierarchy.h"

namespace sinew::evaluate {

// Distances of a frame's vertices to where linear blend skinning puts them, in the dataset's unit.
struct SkinningDistance {
  int frame = 0;
  double rms = 0, max = 0;
};
// In the order of `frames`, which are ok().
std::vector<SkinningDistance> MeasureAgainstSkinning(const dataset::Dataset& dataset, const std::vector<int>& frames);

// Root mean squares over points and frames, before skinning, in the dataset's unit.
struct LevelEnergy {
  int points = 0;
  double displacement = 0;  // X_i: what has to be added to the level's rest shape
  double detail = 0;        // X_i - U_{i-1} X_{i-1}: what no coarser level can say
};
// One per level, coarsest first. Throws InputError if the hierarchy's finest level has other vertices than the frames'
// character.
std::vector<LevelEnergy> MeasureLevels(const dataset::Dataset& dataset, const std::vector<int>& frames,
                                       const lod::Hierarchy& hierarchy);

// At most `count` of these, spread evenly.
std::vector<int> Spread(const std::vector<int>& frames, int count);

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_DATASET_MEASURES_H_
