#include "sinew/offline/multires/targets.h"

#include <fmt/format.h>

#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/multires/training_shapes.h"

namespace sinew::multires {

double RootMeanSquare(const learn::RowMatrix& rows) {
  if (rows.size() == 0) return 0;
  return std::sqrt(rows.cast<double>().squaredNorm() * 3 / static_cast<double>(rows.size()));
}

std::vector<learn::RowMatrix> FindDisplacements(const lod::Hierarchy& hierarchy, const dataset::TrainingFrames& frames,
                                                const std::vector<int>& order) {
  const TruthLevels truths(hierarchy);
  std::vector<learn::RowMatrix> X(hierarchy.level_count());
  for (int i = 1; i <= hierarchy.level_count(); ++i) {
    X[i - 1].resize(static_cast<Eigen::Index>(order.size()),
                    3 * static_cast<Eigen::Index>(truths.skin(i).point_count()));
  }
  const int vertices = hierarchy.levels.back().vertex_count();
  Progress progress("unskinning truths", static_cast<int64_t>(order.size()), "frames");
  ParallelFor(static_cast<int>(order.size()), 1, [&](int j) {
    const Points truth = frames.truth(order[j]);
    if (truth.rows() != vertices || !truth.allFinite()) {
      throw InputError(frames.name, fmt::format("frame {}", order[j]),
                       fmt::format("has {} vertices, and the finest level of the hierarchy {}, all of which must be "
                                   "finite",
                                   truth.rows(), vertices),
                       "use a dataset of that character");
    }
    const std::vector<Points> coarsened = truths.Coarsened(truths.ToPoints(truth));
    for (int i = 1; i <= hierarchy.level_count(); ++i) {
      const Points displacements = truths.Displacements(i, frames.poses[order[j]], coarsened[i - 1]);
      X[i - 1].row(j) = Eigen::Map<const Eigen::RowVectorXf>(displacements.data(), displacements.size());
    }
    progress.Advance();
  });
  return X;
}

std::vector<Targets> MakeTargets(const lod::Hierarchy& hierarchy, const std::vector<learn::RowMatrix>& X,
                                 bool incremental) {
  std::vector<Targets> targets(X.size());
  if (!incremental) {
    for (size_t i = 0; i < X.size(); ++i) targets[i].Y = X[i];
    return targets;
  }
  targets.back().Y = X.back();
  for (int i = hierarchy.level_count() - 1; i >= 1; --i) {
    const lod::Coarsening C(hierarchy.U[i]);
    const learn::RowMatrix& finer = targets[i].Y;
    targets[i - 1].Y.resize(X[i - 1].rows(), X[i - 1].cols());
    ParallelFor(static_cast<int>(finer.rows()), 1, [&](int j) {
      const Eigen::Map<const Points> from(finer.row(j).data(), finer.cols() / 3, 3);
      const Points to = C.Apply(from.cast<double>()).cast<float>();
      targets[i - 1].Y.row(j) = Eigen::Map<const Eigen::RowVectorXf>(to.data(), to.size());
    });
    targets[i - 1].whole = X[i - 1];
  }
  return targets;
}

void SubtractUpsampled(const learn::RowMatrix& upsampled, Targets& targets) {
  if (upsampled.rows() == 0) return;
  targets.Y -= upsampled;
  if (targets.whole.rows() > 0) targets.whole -= upsampled;
}

std::vector<int> FindUsable(const learn::RowMatrix& finest, double max) {
  std::vector<int> usable;
  for (Eigen::Index j = 0; j < finest.rows(); ++j) {
    const Eigen::Map<const Points> displacements(finest.row(j).data(), finest.cols() / 3, 3);
    if (displacements.rowwise().squaredNorm().maxCoeff() <= max * max) usable.push_back(static_cast<int>(j));
  }
  return usable;
}

void KeepRows(const std::vector<int>& kept, learn::RowMatrix& rows) {
  for (size_t j = 0; j < kept.size(); ++j) {
    if (static_cast<int>(j) != kept[j]) rows.row(static_cast<Eigen::Index>(j)) = rows.row(kept[j]);
  }
  rows.conservativeResize(static_cast<Eigen::Index>(kept.size()), Eigen::NoChange);
}

}  // namespace sinew::multires
