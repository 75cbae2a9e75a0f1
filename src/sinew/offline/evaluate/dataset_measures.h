// Measures of how much there is to learn in a dataset: the distance of the ground truth to linear blend skinning, and
// its distribution over the levels of a hierarchy.
#ifndef SINEW_OFFLINE_EVALUATE_DATASET_MEASURES_H_
#define SINEW_OFFLINE_EVALUATE_DATASET_MEASURES_H_

#include <vector>

#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/lod/hierarchy.h"

namespace sinew::evaluate {

// Distance of a frame's vertices to their positions by linear blend skinning, in the dataset's unit.
struct SkinningDistance {
  int frame = 0;
  double rms = 0, max = 0;
};
// Measures these frames, all of which must be ok(); results are in the same order.
std::vector<SkinningDistance> MeasureAgainstSkinning(const dataset::Dataset& dataset, const std::vector<int>& frames);

// Displacements of one level before skinning: root mean squares over points and frames, in the dataset's unit.
struct LevelEnergy {
  int points = 0;           // number of points of the level
  double displacement = 0;  // X_i: displacement to be added to the level's rest shape
  double detail = 0;        // X_i - U_{i-1} X_{i-1}: part that no coarser level can represent
};
// Measures these frames on every level, coarsest first. Throws InputError if the hierarchy's finest level has another
// number of vertices than the frames' character.
std::vector<LevelEnergy> MeasureLevels(const dataset::Dataset& dataset, const std::vector<int>& frames,
                                       const lod::Hierarchy& hierarchy);

// Returns at most `count` of these frames, evenly spread.
std::vector<int> Spread(const std::vector<int>& frames, int count);

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_DATASET_MEASURES_H_
