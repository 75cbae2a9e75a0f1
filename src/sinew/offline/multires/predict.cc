#include "sinew/offline/multires/predict.h"

#include <algorithm>
#include <cmath>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/core/parallel.h"

namespace sinew::multires {
namespace {

constexpr int kFramesAtOnce = 16;

Eigen::VectorXf PickJoints(const std::vector<int>& joints, int per_joint, const Eigen::VectorXf& features) {
  Eigen::VectorXf x(per_joint * static_cast<Eigen::Index>(joints.size()));
  for (size_t i = 0; i < joints.size(); ++i) {
    x.segment(per_joint * static_cast<Eigen::Index>(i), per_joint) =
        features.segment(per_joint * static_cast<Eigen::Index>(joints[i]), per_joint);
  }
  return x;
}

// Applies U_{i-1} to every row; rows are laid out as PredictLevel() returns them.
learn::RowMatrix UpsampleRows(const lod::Upsampling& U, const learn::RowMatrix& coarse) {
  learn::RowMatrix fine(coarse.rows(), 3 * static_cast<Eigen::Index>(U.fine_count()));
  ParallelFor(static_cast<int>(coarse.rows()), kFramesAtOnce, [&](int frame) {
    const float* from = coarse.row(frame).data();
    float* to = fine.row(frame).data();
    for (int p = 0; p < U.fine_count(); ++p) {
      for (int axis = 0; axis < 3; ++axis) {
        float sum = 0;
        for (int k = 0; k < 3; ++k) sum += U.weights[p][k] * from[3 * U.corners[p][k] + axis];
        to[3 * static_cast<size_t>(p) + axis] = sum;
      }
    }
  });
  return fine;
}

// Adds the modes V of level i, or its own modes, to the rows of F.
void AddModes(const deformer::Deformer& deformer, int i, const learn::RowMatrix& features, bool own,
              learn::RowMatrix& F) {
  const std::vector<deformer::RegionCorrective>& regions = deformer.levels[i - 1].regions;
  std::vector<Eigen::MatrixXf> coefficients(regions.size());
  ParallelFor(static_cast<int>(regions.size()), 1, [&](int k) {
    const Eigen::MatrixXf z = Coefficients(deformer, regions[k], features);
    coefficients[k] = own ? z.bottomRows(regions[k].own.cols()) : z.topRows(regions[k].V.cols());
  });
  ParallelFor(static_cast<int>(F.rows()), kFramesAtOnce, [&](int frame) {
    float* row = F.row(frame).data();
    for (size_t k = 0; k < regions.size(); ++k) {
      const Eigen::VectorXf added = (own ? regions[k].own : regions[k].V) * coefficients[k].col(frame);
      for (size_t p = 0; p < regions[k].points.size(); ++p) {
        for (int axis = 0; axis < 3; ++axis) {
          row[3 * static_cast<size_t>(regions[k].points[p]) + axis] += added[static_cast<Eigen::Index>(3 * p) + axis];
        }
      }
    }
  });
}

}  // namespace

learn::RowMatrix FeaturesOfPoses(runtime::PoseFeatures kind, const Skeleton& skeleton, const std::vector<Pose>& poses) {
  const int per_joint = runtime::FeatureCount(kind);
  learn::RowMatrix features(static_cast<Eigen::Index>(per_joint) * skeleton.joint_count(),
                            static_cast<Eigen::Index>(poses.size()));
  const JointView view(skeleton);
  const Pose rest = skeleton.RestPose();
  float values[6];
  for (size_t i = 0; i < poses.size(); ++i) {
    for (int j = 0; j < skeleton.joint_count(); ++j) {
      runtime::JointFeatures(kind, view.Rotation(rest, j), view.Rotation(poses[i], j), values);
      for (int k = 0; k < per_joint; ++k) features(per_joint * j + k, static_cast<Eigen::Index>(i)) = values[k];
    }
  }
  return features;
}

float Fade(const deformer::RangeTest& test, int per_joint, const Eigen::VectorXf& features) {
  const Eigen::VectorXf mapped = test.L * PickJoints(test.joints, per_joint, features);
  const float distance = std::sqrt((test.centres.colwise() - mapped).colwise().squaredNorm().minCoeff());
  const float t = std::clamp((test.outer - distance) / (test.outer - test.inner), 0.0f, 1.0f);
  return t * t * (3 - 2 * t);
}

Eigen::MatrixXf Coefficients(const deformer::Deformer& deformer, const deformer::RegionCorrective& region,
                             const learn::RowMatrix& features) {
  const int per_joint = runtime::FeatureCount(deformer.features);
  Eigen::MatrixXf inputs(per_joint * static_cast<Eigen::Index>(region.joints.size()), features.cols());
  for (Eigen::Index i = 0; i < features.cols(); ++i) {
    inputs.col(i) = PickJoints(region.joints, per_joint, features.col(i));
  }
  Eigen::MatrixXf z = learn::Evaluate(region.network, inputs);
  for (Eigen::Index i = 0; i < features.cols(); ++i) {
    float fade = 1;
    for (const int test : region.ranges) fade = std::min(fade, Fade(deformer.ranges[test], per_joint, features.col(i)));
    z.col(i) *= fade;
  }
  return z;
}

learn::RowMatrix PredictLevel(const deformer::Deformer& deformer, const lod::Hierarchy& hierarchy, int i,
                              const learn::RowMatrix& features, const learn::RowMatrix& coarser) {
  const auto columns = 3 * static_cast<Eigen::Index>(hierarchy.level(i).point_count);
  const bool from_nothing = coarser.rows() == 0 || !deformer.incremental;
  learn::RowMatrix F = from_nothing ? learn::RowMatrix(learn::RowMatrix::Zero(features.cols(), columns))
                                    : UpsampleRows(hierarchy.U[i - 1], coarser);
  AddModes(deformer, i, features, false, F);
  return F;
}

learn::RowMatrix WithOwn(const deformer::Deformer& deformer, int i, const learn::RowMatrix& features,
                         learn::RowMatrix F) {
  AddModes(deformer, i, features, true, F);
  return F;
}

}  // namespace sinew::multires
