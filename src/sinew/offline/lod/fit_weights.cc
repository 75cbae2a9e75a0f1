#include "sinew/offline/lod/fit_weights.h"

#include <Eigen/LU>
#include <algorithm>
#include <array>

#include "sinew/offline/character/posing.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/lod/level_character.h"

namespace sinew::lod {
namespace {

constexpr int kSteps = 20;
constexpr int kGrain = 256;
// Regularisation, relative to the block's mean curvature: keeps weights that no pose tells apart where they are.
constexpr double kHold = 1e-3;

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMaxInfluences + 1, kMaxInfluences + 1>;
using BlockVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMaxInfluences + 1, 1>;

// Weights of one point.
struct PointWeights {
  std::vector<int> joints;
  BlockVector weights;
  Rows places;      // positions to which each joint alone would take it: one row per joint, three columns per pose
  Block curvature;  // places places'
};

// Makes the step of one block: d minimises gradient' d + scale / 2 d' curvature d among steps that sum to 0; then
// negative weights are set to 0 and the sum to 1.
void StepBlock(const BlockVector& gradient, double scale, PointWeights& point) {
  const auto n = static_cast<Eigen::Index>(point.joints.size());
  if (n < 2) return;
  Block system = Block::Zero(n + 1, n + 1);
  const double hold = kHold * point.curvature.trace() / static_cast<double>(n) + 1e-300;
  system.topLeftCorner(n, n) = scale * point.curvature;
  system.topLeftCorner(n, n).diagonal().array() += scale * hold;
  system.row(n).head(n).setOnes();
  system.col(n).head(n).setOnes();
  BlockVector right = BlockVector::Zero(n + 1);
  right.head(n) = -gradient;
  const BlockVector step = system.partialPivLu().solve(right);
  if (!step.allFinite()) return;
  const BlockVector next = (point.weights + step.head(n)).cwiseMax(0);
  if (next.sum() > 0) point.weights = next / next.sum();
}

}  // namespace

WeightFitter::WeightFitter(const Character& finest, const Surface& surface, const std::vector<Pose>& poses)
    : poses_(static_cast<int>(poses.size())),
      skin_of_(surface.point_count(), -1),
      posed_(surface.point_count(), 3 * static_cast<Eigen::Index>(poses.size())),
      joints_(finest.skeleton.joint_count()) {
  std::vector<Eigen::Affine3d> mesh_from_model(finest.skins.size(), Eigen::Affine3d::Identity());
  for (int p = 0; p < surface.part_count(); ++p) {
    const Part& part = finest.parts[p];
    if (part.weights.empty()) continue;
    mesh_from_model[part.skin] = ModelFromMesh(finest, part).inverse();
    for (int v = surface.first_vertex[p]; v < surface.first_vertex[p + 1]; ++v) {
      skin_of_[surface.point_of_vertex[v]] = part.skin;
    }
  }
  for (const Skin& skin : finest.skins) has_joint_.push_back(skin.has_joint);
  moves_.resize(finest.skins.size() * poses.size() * joints_);
  posed_.setZero();
  const Poser poser(finest);
  PosedCharacter posed;
  for (int k = 0; k < poses_; ++k) {
    poser.Evaluate(poses[k], posed);
    for (int p = 0; p < surface.part_count(); ++p) {
      for (int v = 0; v < finest.parts[p].mesh.vertex_count(); ++v) {
        posed_.block<1, 3>(surface.point_of_vertex[surface.first_vertex[p] + v], 3 * k) =
            posed.parts[p].positions.row(v).cast<double>();
      }
    }
    const std::vector<Eigen::Affine3f> joints = LocalToModel(finest.skeleton, poses[k]);
    for (size_t s = 0; s < finest.skins.size(); ++s) {
      for (int j = 0; j < joints_; ++j) {
        const Eigen::Affine3d move = (joints[j] * finest.skins[s].inverse_bind[j]).cast<double>() * mesh_from_model[s];
        moves_[(s * poses_ + k) * joints_ + j] = move.matrix().topRows<3>();
      }
    }
  }
}

Eigen::MatrixXd WeightFitter::Fit(const std::vector<Eigen::Vector3d>& positions, const std::vector<int>& finest_points,
                                  const Eigen::SparseMatrix<double, Eigen::RowMajor>& U, const Eigen::MatrixXd& shares,
                                  int influences) const {
  // Form the normal equations.
  const int count = static_cast<int>(positions.size());
  const Eigen::SparseMatrix<double> columns = U;
  const Eigen::SparseMatrix<double, Eigen::RowMajor> normal = columns.transpose() * columns;  // U' U
  const Rows target = columns.transpose() * posed_;                                           // U' x(p)
  const Eigen::VectorXd row_sums = normal * Eigen::VectorXd::Ones(count);
  // Start from the strongest shares of each point.
  std::vector<PointWeights> points(count);
  Rows now(count, 3 * poses_);  // X(w, p)
  ParallelFor(count, kGrain, [&](int i) {
    PointWeights& point = points[i];
    const int skin = skin_of_[finest_points[i]];
    now.row(i).setZero();
    if (skin < 0) return;
    const auto chosen = ToInfluences(shares.row(i).transpose(), influences, has_joint_[skin]);
    const auto n = static_cast<Eigen::Index>(chosen.size());
    point.weights.resize(n);
    point.places.resize(n, 3 * poses_);
    for (Eigen::Index a = 0; a < n; ++a) {
      point.joints.push_back(chosen[a].first);
      point.weights[a] = chosen[a].second;
      for (int k = 0; k < poses_; ++k) {
        point.places.block<1, 3>(a, 3 * k) = Move(skin, k, chosen[a].first) * positions[i].homogeneous();
      }
    }
    point.curvature = point.places * point.places.transpose();
    now.row(i) = point.weights.transpose() * point.places;
  });
  // Step all blocks, with all gradients from the same state, so that the order of points does not matter.
  for (int step = 0; step < kSteps; ++step) {
    ParallelFor(count, kGrain, [&](int i) {
      PointWeights& point = points[i];
      if (point.joints.size() < 2) return;
      Eigen::RowVectorXd residual = -target.row(i);
      for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator entry(normal, i); entry; ++entry) {
        residual += entry.value() * now.row(entry.col());
      }
      StepBlock(point.places * residual.transpose(), row_sums[i], point);
    });
    ParallelFor(count, kGrain, [&](int i) {
      if (!points[i].joints.empty()) now.row(i) = points[i].weights.transpose() * points[i].places;
    });
  }
  // Write the result as dense rows; points without a skin keep their shares.
  Eigen::MatrixXd fitted = Eigen::MatrixXd::Zero(shares.rows(), shares.cols());
  for (int i = 0; i < count; ++i) {
    if (points[i].joints.empty()) fitted.row(i) = shares.row(i);
    for (size_t a = 0; a < points[i].joints.size(); ++a) {
      fitted(i, points[i].joints[a]) = points[i].weights[static_cast<Eigen::Index>(a)];
    }
  }
  return fitted;
}

}  // namespace sinew::lod
