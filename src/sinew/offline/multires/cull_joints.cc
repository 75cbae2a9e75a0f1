#include "sinew/offline/multires/cull_joints.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <limits>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/runtime/pose/features.h"

namespace sinew::multires {
namespace {

constexpr int kPerJoint = 9;  // three linear and six quadratic functions

// Evaluates the kPerJoint functions of one joint's rotation, all of which are zero for the rotation `rest`.
void QuadraticFunctions(const runtime::Quaternion& rest, const runtime::Quaternion& seen, float* functions) {
  runtime::JointFeatures(runtime::PoseFeatures::kQuaternion, rest, seen, functions);
  int at = 3;
  for (int a = 0; a < 3; ++a) {
    for (int b = a; b < 3; ++b) functions[at++] = functions[a] * functions[b];
  }
}

}  // namespace

struct JointCulling::Projected {
  Eigen::MatrixXd onto;  // transpose of the functions times z
  double square = 0;     // squared Frobenius norm of z
};

JointCulling::JointCulling(const Skeleton& skeleton, const Pose& zero, const std::vector<Pose>& poses, int training) {
  const JointView view(skeleton);
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    if (!view.IsRoot(j)) candidates_.push_back(j);
  }
  // If all joints are roots, none of them carries the others, and all are candidates.
  for (int j = 0; j < skeleton.joint_count() && candidates_.size() == static_cast<size_t>(j); ++j) {
    candidates_.push_back(j);
  }
  const auto sums = [&](int begin, int end) {
    Sums result;
    result.functions.resize(end - begin, kPerJoint * static_cast<Eigen::Index>(candidates_.size()));
    for (int i = begin; i < end; ++i) {
      for (size_t c = 0; c < candidates_.size(); ++c) {
        const int j = candidates_[c];
        QuadraticFunctions(view.Rotation(zero, j), view.Rotation(poses[i], j),
                           result.functions.row(i - begin).data() + kPerJoint * c);
      }
    }
    const Eigen::MatrixXd functions = result.functions.cast<double>();
    result.gram = functions.transpose() * functions;
    return result;
  };
  const int count = static_cast<int>(poses.size());
  fit_ = sums(0, training);
  judge_ = training < count ? sums(training, count) : fit_;
}

// Squared error over the validation poses of the least-squares fit by these candidates over the training poses.
double JointCulling::Judge(const std::vector<int>& joints, const Projected& fit, const Projected& judge) const {
  const auto size = static_cast<Eigen::Index>(joints.size());
  Eigen::MatrixXd fitted(kPerJoint * size, kPerJoint * size), judged = fitted;
  Eigen::MatrixXd onto(kPerJoint * size, fit.onto.cols()), judged_onto = onto;
  for (Eigen::Index a = 0; a < size; ++a) {
    for (Eigen::Index b = 0; b < size; ++b) {
      const int from = kPerJoint * joints[a], to = kPerJoint * joints[b];
      fitted.block<kPerJoint, kPerJoint>(kPerJoint * a, kPerJoint * b) =
          fit_.gram.block<kPerJoint, kPerJoint>(from, to);
      judged.block<kPerJoint, kPerJoint>(kPerJoint * a, kPerJoint * b) =
          judge_.gram.block<kPerJoint, kPerJoint>(from, to);
    }
    onto.middleRows<kPerJoint>(kPerJoint * a) = fit.onto.middleRows<kPerJoint>(kPerJoint * joints[a]);
    judged_onto.middleRows<kPerJoint>(kPerJoint * a) = judge.onto.middleRows<kPerJoint>(kPerJoint * joints[a]);
  }
  // Ridge regularisation: joints that hardly move would make the fit ill-posed.
  constexpr double kRidge = 1e-3;
  fitted.diagonal().array() += kRidge * std::max(fit_.gram.diagonal().mean(), 1e-12);
  const Eigen::MatrixXd B = fitted.ldlt().solve(onto);
  return judge.square - 2 * B.cwiseProduct(judged_onto).sum() + (B.transpose() * judged * B).trace();
}

std::vector<int> JointCulling::Choose(const learn::RowMatrix& z, const std::vector<int>& allowed) const {
  constexpr double kWorthwhile = 0.004;  // required gain, as a share of the coefficients' squared norm
  // With few frames, the best of many joints lowers the error by chance, by about the share of this many frames.
  constexpr double kChance = 4;
  // Project the coefficients onto the quadratic functions of all joints.
  const auto project = [](const Sums& sums, const learn::RowMatrix& rows) {
    Projected result;
    result.onto = sums.functions.cast<double>().transpose() * rows.cast<double>();
    result.square = rows.cast<double>().squaredNorm();
    return result;
  };
  const Eigen::Index training = fit_.functions.rows();
  const Projected fit = project(fit_, z.topRows(training));
  const Projected judge = z.rows() > training ? project(judge_, z.bottomRows(z.rows() - training)) : fit;
  // Candidates that may be selected.
  std::vector<int> open;
  for (int c = 0; c < static_cast<int>(candidates_.size()); ++c) {
    if (allowed.empty() || std::binary_search(allowed.begin(), allowed.end(), candidates_[c])) open.push_back(c);
  }
  // Add the joint that lowers the error most, until the gain is too small.
  std::vector<int> chosen;
  double error = judge.square;
  while (chosen.size() < kMaxJoints && chosen.size() < open.size()) {
    int best = -1;
    double least = std::numeric_limits<double>::infinity();
    for (const int c : open) {
      if (std::find(chosen.begin(), chosen.end(), c) != chosen.end()) continue;
      std::vector<int> tried = chosen;
      tried.push_back(c);
      const double with = Judge(tried, fit, judge);
      if (with < least) {
        least = with;
        best = c;
      }
    }
    const double worthwhile =
        std::max(kWorthwhile * judge.square, kChance * error / static_cast<double>(judge_.functions.rows()));
    if (!chosen.empty() && error - least < worthwhile) break;
    chosen.push_back(best);
    error = least;
  }
  std::vector<int> joints;
  joints.reserve(chosen.size());
  for (const int c : chosen) joints.push_back(candidates_[c]);
  std::sort(joints.begin(), joints.end());
  return joints;
}

JointProbe::JointProbe(const Skeleton& skeleton, const std::vector<Pose>& poses) {
  const JointView view(skeleton);
  const auto same = [&](const Pose& a, const Pose& b, int joint) {
    const Eigen::Quaternionf p = ToEigen(view.Rotation(a, joint)), q = ToEigen(view.Rotation(b, joint));
    constexpr float kSame = 1e-6f;  // 1 - cosine of half the angle
    return 1 - std::abs(p.dot(q)) < kSame;
  };
  std::vector<bool> known(skeleton.joint_count(), false);
  for (int a = 0; a < static_cast<int>(poses.size()); ++a) {
    for (int b = a + 1; b < static_cast<int>(poses.size()); ++b) {
      int differing = 0, joint = -1;
      for (int j = 0; j < skeleton.joint_count() && differing < 2; ++j) {
        if (!same(poses[a], poses[b], j)) ++differing, joint = j;
      }
      if (differing != 1) continue;
      pairs_.push_back({a, b, joint});
      known[joint] = true;
    }
  }
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    if (!known[j] && !view.IsRoot(j)) unknown_.push_back(j);
  }
}

std::vector<int> JointProbe::JointsOf(const learn::RowMatrix& X, const std::vector<int>& points,
                                      const std::vector<float>& weights, double threshold) const {
  const double enough = threshold * threshold * static_cast<double>(points.size());
  std::vector<int> joints = unknown_;
  for (const Pair& pair : pairs_) {
    if (std::find(joints.begin(), joints.end(), pair.joint) != joints.end()) continue;
    double square = 0;
    for (size_t p = 0; p < points.size(); ++p) {
      const Eigen::Index at = 3 * static_cast<Eigen::Index>(points[p]);
      const double moved = (X.row(pair.a).segment<3>(at) - X.row(pair.b).segment<3>(at)).squaredNorm();
      square += weights[p] * weights[p] * moved;
    }
    if (square > enough) joints.push_back(pair.joint);
  }
  std::sort(joints.begin(), joints.end());
  return joints;
}

}  // namespace sinew::multires
