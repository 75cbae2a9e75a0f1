// Training targets of the levels (sections 4.1 and 4.3 of the paper): the displacements before skinning, X_i, that lead
// to the ground truth on level i, and the residuals Y_i computed from them.
#ifndef SINEW_OFFLINE_MULTIRES_TARGETS_H_
#define SINEW_OFFLINE_MULTIRES_TARGETS_H_

#include <vector>

#include "sinew/offline/dataset/training_frames.h"
#include "sinew/offline/learn/dense.h"
#include "sinew/offline/lod/hierarchy.h"

namespace sinew::multires {

// Targets of one level, one row per frame, 3 columns per point. Y: residuals of the displacements that finer levels
// start from. whole: residuals of the displayed displacements of the level itself, own modes included; empty if both
// are the same, as on the finest level.
struct Targets {
  learn::RowMatrix Y, whole;
};

// Computes X_i of every level: [i - 1] has one row per frame of `order`, 3 columns per point of level i. order: indices
// of frames. Throws InputError for ground truth that does not have the finest level's vertices or is not finite.
std::vector<learn::RowMatrix> FindDisplacements(const lod::Hierarchy& hierarchy, const dataset::TrainingFrames& frames,
                                                const std::vector<int>& order);

// Returns the targets of all levels before anything is learned. incremental: whether levels start from the coarser one;
// then Y of every level is the finest level's X, coarsened, as in the paper.
std::vector<Targets> MakeTargets(const lod::Hierarchy& hierarchy, const std::vector<learn::RowMatrix>& X,
                                 bool incremental);

// Subtracts the displacements that the coarser levels already give, U_{i-1} F_{i-1}: equation 1. upsampled: may be
// without rows, which means zero.
void SubtractUpsampled(const learn::RowMatrix& upsampled, Targets& targets);

// Indices of the rows (frames) of the finest level in which no displacement is longer than `max`; the others are
// outliers.
std::vector<int> FindUsable(const learn::RowMatrix& finest, double max);
// Removes all other rows, in place, since the matrix may be gigabytes. kept: increasing.
void KeepRows(const std::vector<int>& kept, learn::RowMatrix& rows);

// Root mean square length of the displacements in all rows, 3 columns per displacement; 0 for an empty matrix.
double RootMeanSquare(const learn::RowMatrix& rows);

}  // namespace sinew::multires

#endif  // SINEW_OFFLINE_MULTIRES_TARGETS_H_
