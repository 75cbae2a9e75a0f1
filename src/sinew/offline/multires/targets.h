// What the levels are to learn (sections 4.1 and 4.3 of the paper): displacements before skinning, X_i, that lead to
// the ground truth on level i, and the targets Y_i that are made of them.
#ifndef SINEW_OFFLINE_MULTIRES_TARGETS_H_
#define SINEW_OFFLINE_MULTIRES_TARGETS_H_

#include <vector>

#include "sinew/offline/dataset/training_frames.h"
#include "sinew/offline/learn/dense.h"
#include "sinew/offline/lod/hierarchy.h"

namespace sinew::multires {

// Targets of one level, one row per frame. Y: residuals that the finer levels start from, too. whole: those of what is
// shown of the level itself; empty where both are the same, as on the finest level.
struct Targets {
  learn::RowMatrix Y, whole;
};

// X_i of every level, [i - 1], one row per frame of `order`. Throws InputError for truths that are not of the finest
// level.
std::vector<learn::RowMatrix> FindDisplacements(const lod::Hierarchy& hierarchy, const dataset::TrainingFrames& frames,
                                                const std::vector<int>& order);

// Targets of all levels before anything is learned. Levels that add to each other (incremental) share the displacements
// of the finest level, coarsened, as in the paper.
std::vector<Targets> MakeTargets(const lod::Hierarchy& hierarchy, const std::vector<learn::RowMatrix>& X,
                                 bool incremental);

// Subtracts what the coarser levels already give, U_{i-1} F_{i-1}: equation 1.
void SubtractUpsampled(const learn::RowMatrix& upsampled, Targets& targets);

// Rows of the finest level's displacements of which no vertex is longer than `max`: the others are outliers.
std::vector<int> FindUsable(const learn::RowMatrix& finest, double max);
// Keeps these rows, in place: they may be gigabytes.
void KeepRows(const std::vector<int>& kept, learn::RowMatrix& rows);

// Root mean square length of the displacements in all rows.
double RootMeanSquare(const learn::RowMatrix& rows);

}  // namespace sinew::multires

#endif  // SINEW_OFFLINE_MULTIRES_TARGETS_H_
