// What a deformer does, in plain single precision: the oracle that the runtime's evaluation is held against.
#ifndef SINEW_OFFLINE_MULTIRES_PREDICT_H_
#define SINEW_OFFLINE_MULTIRES_PREDICT_H_

#include <vector>

#include "sinew/offline/deformer/deformer.h"
#include "sinew/offline/learn/dense.h"
#include "sinew/offline/lod/hierarchy.h"

namespace sinew::multires {

// One row per feature, joint by joint, a column per pose.
learn::RowMatrix FeaturesOfPoses(runtime::PoseFeatures kind, const Skeleton& skeleton, const std::vector<Pose>& poses);

// 0 to 1, for the features of one pose.
float Fade(const deformer::RangeTest& test, int per_joint, const Eigen::VectorXf& features);

// The coefficients of one region, fades included: a column per pose.
Eigen::MatrixXf Coefficients(const deformer::Deformer& deformer, const deformer::RegionCorrective& region,
                             const learn::RowMatrix& features);

// Equation 2 for many poses: a row per pose, 3 columns per point of level i. coarser: F_{i-1}; without rows: zero. What
// the next level starts from; the level's own modes are not in it.
learn::RowMatrix PredictLevel(const deformer::Deformer& deformer, const lod::Hierarchy& hierarchy, int i,
                              const learn::RowMatrix& features, const learn::RowMatrix& coarser);

// What is shown of level i: F_i, and the level's own modes.
learn::RowMatrix WithOwn(const deformer::Deformer& deformer, int i, const learn::RowMatrix& features,
                         learn::RowMatrix F);

}  // namespace sinew::multires

#endif  // SINEW_OFFLINE_MULTIRES_PREDICT_H_
