// A body of capsules, one rigid capsule a bone, whose overlaps are known exactly.
#ifndef SINEW_TESTS_SUPPORT_LIMB_FIGURE_H_
#define SINEW_TESTS_SUPPORT_LIMB_FIGURE_H_

#include <Eigen/Core>
#include <vector>

#include "sinew/offline/character/character.h"
#include "tests/support/rigs.h"

namespace sinew::testing {

struct Capsule {
  int joint = 0;
  Eigen::Vector3d from = Eigen::Vector3d::Zero(), to = Eigen::Vector3d::Zero();  // in the joint's frame
  double radius = 0;
};

struct LimbFigure {
  Character character;
  std::vector<Capsule> capsules;
};

LimbFigure MakeLimbFigure(const RigOptions& options = {});

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_LIMB_FIGURE_H_
