// Random proportions: a smooth change of space that makes another body of a body in a T-pose.
#ifndef SINEW_OFFLINE_AUTORIG_PROPORTIONS_H_
#define SINEW_OFFLINE_AUTORIG_PROPORTIONS_H_

#include <array>

#include "sinew/offline/autorig/biped_joints.h"
#include "sinew/offline/core/random.h"

namespace sinew::autorig {

// Legs, trunk, neck and head become longer or shorter, each by a factor of its own; every height gets its own width and
// depth; arms become longer or shorter, and heads larger as those of cartoons are. Surface and joints follow alike.
class Proportions {
 public:
  // joints: of a body in a T-pose that faces z. strength: of the logarithms of factors; 0 changes nothing.
  Proportions(const JointPositions& joints, double strength, Random& random);
  // Draws proportions of small game characters: heads of 1.3 to 2.5 times their size, short legs, trunks and arms, all
  // of them thick.
  static Proportions Chibi(const JointPositions& joints, Random& random);

  Eigen::Vector3d Apply(const Eigen::Vector3d& point) const;

 private:
  explicit Proportions(const JointPositions& joints);
  // Finds where the knots are afterwards, from the factors.
  void MoveKnots();

  static constexpr int kKnots = 6;
  // Heights of ankles, knees, hips, chest, neck and head, increasing; below and above them factors stay the same.
  std::array<double, kKnots> heights_ = {};
  std::array<double, kKnots> lengths_ = {}, widths_ = {}, depths_ = {};  // factors there
  std::array<double, kKnots> moved_ = {};                                // where the knots are afterwards
  double shoulder_ = 0, chest_ = 0, arms_ = 1, middle_ = 0;
};

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_PROPORTIONS_H_
