#include "sinew/offline/multires/find_ranges.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/offline/core/farthest.h"

namespace sinew::multires {
namespace {

constexpr int kMaxCentres = 48;

// Correctives are unchanged up to a margin and fade beyond it. This is the length of the fade: a factor on half of a
// joint's spread, and on 0.4 of the largest distance of a combination. It was chosen by the error of simulated poses
// beyond the joint limits and of own animations (docs/training.md). Up to twice the limits, networks are nearer to the
// truth than skinning, so a short fade costs accuracy. At four times the limits, correctives without a fade would be
// larger than they ever are within the limits; with this one they are smaller.
constexpr float kReach = 6;

learn::RowMatrix FeaturesOf(const learn::RowMatrix& features, const std::vector<int>& joints, int per_joint) {
  learn::RowMatrix rows(per_joint * static_cast<Eigen::Index>(joints.size()), features.cols());
  for (size_t i = 0; i < joints.size(); ++i) {
    rows.middleRows(per_joint * static_cast<Eigen::Index>(i), per_joint) =
        features.middleRows(per_joint * static_cast<Eigen::Index>(joints[i]), per_joint);
  }
  return rows;
}

// Chooses rest and some of the samples as centres, such that every sample is near to one. Returns the largest distance
// from a sample to its nearest centre.
double CoverByCentres(const learn::RowMatrix& samples, Eigen::MatrixXf& centres) {
  Eigen::VectorXf distance = samples.colwise().norm();
  const auto distances_from = [&](int i) -> Eigen::VectorXf {
    return (samples.colwise() - samples.col(i)).colwise().norm();
  };
  const std::vector<int> chosen = ChooseFarthest<float>(kMaxCentres - 1, true, distances_from, distance);
  centres = Eigen::MatrixXf::Zero(samples.rows(), 1 + static_cast<Eigen::Index>(chosen.size()));
  for (size_t c = 0; c < chosen.size(); ++c) centres.col(1 + static_cast<Eigen::Index>(c)) = samples.col(chosen[c]);
  return distance.maxCoeff();
}

// Test of one joint.
deformer::RangeTest JointTest(const learn::RowMatrix& features, int joint, int per_joint) {
  // Margins beyond the covered range, in units of the joint's spread.
  constexpr double kInner = 0.5, kOuter = kInner + 0.5 * kReach;
  deformer::RangeTest test;
  test.joints = {joint};
  const learn::RowMatrix samples = FeaturesOf(features, test.joints, per_joint);
  test.L = Eigen::MatrixXf::Identity(per_joint, per_joint);
  const double covered = CoverByCentres(samples, test.centres);
  const double spread =
      std::sqrt(samples.squaredNorm() / static_cast<double>(std::max<Eigen::Index>(1, samples.cols())));
  // A joint that never moved has no spread: then every rotation that differs from rest by more than rounding is
  // unknown.
  constexpr double kLeast = 1e-3;
  test.inner = static_cast<float>(covered + kInner * spread + kLeast);
  test.outer = static_cast<float>(covered + kOuter * spread + 2 * kLeast);
  return test;
}

// Test of several joints together.
deformer::RangeTest CombinationTest(const learn::RowMatrix& features, const std::vector<int>& joints, int per_joint) {
  // Smallest variance, as a share of the largest. Directions without variance, such as across a hinge, would otherwise
  // count without bound; networks do not see them (fit_network.cc), and a small rotation across a hinge should not make
  // a pose unknown.
  constexpr double kFloor = 0.02;
  // Margins, in units of the largest distance that was seen.
  constexpr float kInner = 1.1f, kOuter = kInner + 0.4f * kReach;
  deformer::RangeTest test;
  test.joints = joints;
  const learn::RowMatrix samples = FeaturesOf(features, joints, per_joint);
  const Eigen::VectorXf mean = samples.rowwise().mean();
  const Eigen::MatrixXd centred = (samples.colwise() - mean).cast<double>();
  const Eigen::MatrixXd covariance = centred * centred.transpose() / static_cast<double>(samples.cols());
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(covariance);
  const double floor = std::max(kFloor * eigen.eigenvalues().maxCoeff(), 1e-12);
  const Eigen::VectorXd scale = eigen.eigenvalues().cwiseMax(floor).cwiseSqrt().cwiseInverse();
  test.L = (scale.asDiagonal() * eigen.eigenvectors().transpose()).cast<float>();
  test.centres = test.L * mean;
  const Eigen::MatrixXf mapped = test.L * samples;
  const float reach = std::max((mapped.colwise() - test.centres.col(0)).colwise().norm().maxCoeff(), 1e-3f);
  // The rest pose always passes the test.
  const float known = std::max(reach, test.centres.col(0).norm());
  test.inner = kInner * known;
  test.outer = kOuter * known;
  return test;
}

}  // namespace

void FindRanges(const learn::RowMatrix& features, deformer::Deformer& deformer) {
  const int per_joint = runtime::FeatureCount(deformer.features);
  deformer.ranges.clear();
  std::map<std::vector<int>, int> known;  // index of the test by its joints
  const auto test_of = [&](const std::vector<int>& joints) {
    const auto [at, added] = known.try_emplace(joints, static_cast<int>(deformer.ranges.size()));
    if (added) {
      deformer.ranges.push_back(joints.size() == 1 ? JointTest(features, joints[0], per_joint)
                                                   : CombinationTest(features, joints, per_joint));
    }
    return at->second;
  };
  for (deformer::LevelCorrectives& level : deformer.levels) {
    for (deformer::RegionCorrective& region : level.regions) {
      region.ranges.clear();
      for (const int joint : region.joints) region.ranges.push_back(test_of({joint}));
      if (region.joints.size() > 1) region.ranges.push_back(test_of(region.joints));
    }
  }
}

}  // namespace sinew::multires
