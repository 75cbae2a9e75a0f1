#include "sinew/offline/anatomy/turn.h"

namespace sinew {

Eigen::Quaterniond TurnBetween(const Eigen::Vector3d& from, const Eigen::Vector3d& to) {
  using Eigen::Quaterniond;
  const Eigen::Vector3d a = from.normalized();
  const Eigen::Vector3d b = to.normalized();
  // For unit vectors at an angle t, |a + b| = 2 cos(t/2), and a x b = 2 sin(t/2) cos(t/2) times the rotation axis.
  const double cosine = 0.5 * (a + b).norm();
  if (cosine < 1e-6) {
    const Eigen::Vector3d axis = a.unitOrthogonal();
    return TurnBetween(-a, b) * Quaterniond(0, axis.x(), axis.y(), axis.z());
  }
  Quaterniond turn;
  turn.w() = cosine;
  turn.vec() = a.cross(b) / (2 * cosine);
  return turn.normalized();
}

}  // namespace sinew
