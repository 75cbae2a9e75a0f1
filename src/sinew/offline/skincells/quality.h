// Measures how well weights deform a surface, on poses that were not optimised on.
#ifndef SINEW_OFFLINE_SKINCELLS_QUALITY_H_
#define SINEW_OFFLINE_SKINCELLS_QUALITY_H_

#include <span>
#include <vector>

#include "sinew/offline/skincells/training_set.h"

namespace sinew::skincells {

struct Quality {
  // Displacement of a vertex by Delta Mush (10 uniform Laplacian sweeps of 0.5, frames of the smoothed surface): mean
  // over vertices and poses, in thousandths of the body's longest side.
  double delta_mush = 0;
  // 99th percentile over edges and poses of the larger of length / rest and rest / length, less 1.
  double stretch_99 = 0;
  // Mean over poses of |volume / rest - 1|; the volume of an open surface is that of the cone from its centre.
  double volume = 0;
  // Equation 5, mean over springs and poses.
  double location = 0;
  double influences = 0;   // mean number of influences per vertex
  int max_influences = 0;  // largest number of influences of a vertex
};

// Quality per vertex and per pose.
struct QualityDetail {
  std::vector<float> vertex_delta_mush;  // per vertex of the surface: mean over poses, as Quality::delta_mush
  std::vector<float> vertex_stretch;     // per vertex: largest over its edges and all poses, as Quality::stretch_99
  std::vector<double> pose_delta_mush;   // per pose: mean over vertices
};

// Measures weights of the subject's surface. set: the subject's, with the poses to measure on. detail: may be null.
Quality MeasureQuality(const Subject& subject, const TrainingSet& set, const SkinWeights& weights,
                       QualityDetail* detail = nullptr);

// Returns the surface in one pose of the set, in the unit box: one column per vertex.
Eigen::Matrix3Xd PosedSurface(const Subject& subject, const TrainingSet& set, const SkinWeights& weights, int pose);

// Returns the displacement of every vertex of the surface in one pose of the set, as Quality::delta_mush.
std::vector<float> DeltaMushDisplacements(const Subject& subject, const TrainingSet& set, const SkinWeights& weights,
                                          int pose);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_QUALITY_H_
