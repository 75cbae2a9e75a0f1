// Skinning weights of a coarse level, moved so that its surface in poses lies as near as it can to the finest one's.
//
// Coarsened weights make the upsampled weights right, not the upsampled shape: what matters is
//
//   E(w) = sum over poses p of |U X(w, p) - x(p)|^2,   X_i(w, p) = sum over joints j of w_ij M_j(p) X_i
//
// with U from this level to the finest, x(p) the finest level's points in pose p, M_j(p) what joint j does to a point
// of the model at rest. E is quadratic in w, so steps of a projected block Jacobi method (a block is one point's
// weights, none negative, sum 1) lower it; U enters by U' U and U' x(p) only.
#ifndef SINEW_OFFLINE_LOD_FIT_WEIGHTS_H_
#define SINEW_OFFLINE_LOD_FIT_WEIGHTS_H_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <Eigen/SparseCore>
#include <vector>

#include "sinew/offline/lod/surface.h"

namespace sinew::lod {

class WeightFitter {
 public:
  // Poses the finest character. surface: of that character.
  WeightFitter(const Character& finest, const Surface& surface, const std::vector<Pose>& poses);

  // positions: the level's points in model space. finest_points: one per point, a finest one of the same skin.
  // U: from the level's points to the finest ones. shares: a row per point, a column per joint. Returns such shares
  // with at most `influences` joints a row, those that are strongest in `shares`; never a larger E than those have.
  Eigen::MatrixXd Fit(const std::vector<Eigen::Vector3d>& positions, const std::vector<int>& finest_points,
                      const Eigen::SparseMatrix<double, Eigen::RowMajor>& U, const Eigen::MatrixXd& shares,
                      int influences) const;

 private:
  int poses_ = 0;
  std::vector<int> skin_of_;                  // per finest point; -1: none
  std::vector<std::vector<bool>> has_joint_;  // per skin
  Eigen::MatrixXd posed_;                     // a row per finest point, three columns a pose
  // Per skin, pose and joint, in that order: from the model at rest to the model in the pose.
  std::vector<Eigen::Matrix<double, 3, 4>> moves_;
  int joints_ = 0;

  const Eigen::Matrix<double, 3, 4>& Move(int skin, int pose, int joint) const {
    return moves_[(static_cast<size_t>(skin) * poses_ + pose) * joints_ + joint];
  }
};

}  // namespace sinew::lod

#endif  // SINEW_OFFLINE_LOD_FIT_WEIGHTS_H_
