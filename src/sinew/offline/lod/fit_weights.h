// Fits the skinning weights of a coarse level so that its posed surface lies as near as possible to the finest level's.
//
// Coarsened weights make the upsampled weights right, not the upsampled shape. The error of the shape is
//
//   E(w) = sum over poses p of |U X(w, p) - x(p)|^2,   X_i(w, p) = sum over joints j of w_ij M_j(p) X_i
//
// with U the upsampling from this level to the finest, x(p) the finest level's points in pose p, and M_j(p) the
// skinning matrix of joint j, from the model at rest to the model in pose p. E is quadratic in w, so steps of a
// projected block Jacobi method (a block is one point's weights, none negative, sum 1) lower it. U enters only through
// U' U and U' x(p).
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
  // Poses the finest character. surface: of that character. poses: p in the sum above.
  WeightFitter(const Character& finest, const Surface& surface, const std::vector<Pose>& poses);

  // Returns fitted shares with at most `influences` joints per row, those that are strongest in `shares`; their E is
  // never larger than that of these strongest shares. positions: the level's points in model space. finest_points: one
  // per point of the level, a finest point of the same skin. U: from the level's points to the finest ones. shares: one
  // row per point, one column per joint.
  Eigen::MatrixXd Fit(const std::vector<Eigen::Vector3d>& positions, const std::vector<int>& finest_points,
                      const Eigen::SparseMatrix<double, Eigen::RowMajor>& U, const Eigen::MatrixXd& shares,
                      int influences) const;

 private:
  int poses_ = 0;
  std::vector<int> skin_of_;                  // per finest point; -1: none
  std::vector<std::vector<bool>> has_joint_;  // per skin
  Eigen::MatrixXd posed_;                     // x(p): one row per finest point, three columns per pose
  // M_j(p) per skin, pose and joint, in that order.
  std::vector<Eigen::Matrix<double, 3, 4>> moves_;
  int joints_ = 0;

  const Eigen::Matrix<double, 3, 4>& Move(int skin, int pose, int joint) const {
    return moves_[(static_cast<size_t>(skin) * poses_ + pose) * joints_ + joint];
  }
};

}  // namespace sinew::lod

#endif  // SINEW_OFFLINE_LOD_FIT_WEIGHTS_H_
