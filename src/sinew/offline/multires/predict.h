// Reference evaluation of a deformer in single precision, against which the runtime's evaluation is tested.
#ifndef SINEW_OFFLINE_MULTIRES_PREDICT_H_
#define SINEW_OFFLINE_MULTIRES_PREDICT_H_

#include <vector>

#include "sinew/offline/deformer/deformer.h"
#include "sinew/offline/learn/dense.h"
#include "sinew/offline/lod/hierarchy.h"

namespace sinew::multires {

// Features of poses: FeatureCount(kind) rows per joint of the skeleton, in its order, one column per pose.
learn::RowMatrix FeaturesOfPoses(runtime::PoseFeatures kind, const Skeleton& skeleton, const std::vector<Pose>& poses);

// Fade of one out-of-distribution test: 1 within the trained range, 0 beyond it. per_joint: features per joint.
// features: one pose, all joints of the skeleton.
float Fade(const deformer::RangeTest& test, int per_joint, const Eigen::VectorXf& features);

// Coefficients z of one region's modes, fades included: one row per mode, one column per pose. features: as from
// FeaturesOfPoses().
Eigen::MatrixXf Coefficients(const deformer::Deformer& deformer, const deformer::RegionCorrective& region,
                             const learn::RowMatrix& features);

// F_i of equation 2 for many poses: displacements before skinning, one row per pose, 3 columns per point of level i. It
// is what the next level starts from, and so does not include the level's own modes. coarser: F_{i-1}; no rows: zero.
learn::RowMatrix PredictLevel(const deformer::Deformer& deformer, const lod::Hierarchy& hierarchy, int i,
                              const learn::RowMatrix& features, const learn::RowMatrix& coarser);

// Adds the own modes of level i to F_i, which gives the displacements that are displayed at this level.
learn::RowMatrix WithOwn(const deformer::Deformer& deformer, int i, const learn::RowMatrix& features,
                         learn::RowMatrix F);

}  // namespace sinew::multires

#endif  // SINEW_OFFLINE_MULTIRES_PREDICT_H_
