// Statistics of how people move: how far each joint turns, and which turns go together. They are from recorded motions
// of many people (docs/formats/limits.md says which); tools/prior measures them and writes human_motion_table.cc.
#ifndef SINEW_OFFLINE_ANATOMY_HUMAN_MOTION_H_
#define SINEW_OFFLINE_ANATOMY_HUMAN_MOTION_H_

#include <Eigen/Core>
#include <string_view>
#include <vector>

#include "sinew/offline/anatomy/joint_names.h"
#include "sinew/offline/anatomy/limits.h"
#include "sinew/offline/character/skeleton.h"
#include "sinew/offline/core/random.h"

namespace sinew {

// Range of the turns of one kind of joint, left and right alike, that holds all but a few recorded poses in a thousand.
// Degrees from the neutral of the kind's anatomical limit (anatomy.h), all at least 0: towards and away from the bend
// direction, outwards and inwards, and twist, which follows the right-hand rule for a left limb. A kind that was not
// measured has zeros.
struct HumanReach {
  double toward = 0, away = 0, out = 0, in = 0, twist_positive = 0, twist_negative = 0;
};
// order: of spine joints, 1 for the lowest, which turns most, and 2 for those above it. 0: all joints of the kind
// together, where several share a turn (spine; neck and head together count as neck).
HumanReach MeasuredReach(JointKind kind, int order);

// Distribution of poses: a mixture of normal distributions over the angles of a skeleton's joints.
struct HumanMotion {
  // One angle that varies: of joint `joint`, component 0 bend, 1 side, 2 twist.
  struct Angle {
    int joint = 0;
    int component = 0;
  };
  // One normal distribution, in radians: mean + factors * x + own .* y, with all of x and y of mean 0 and variance 1.
  struct Component {
    double weight = 0;  // of all components together 1
    Eigen::VectorXd mean;
    Eigen::MatrixXd factors;
    Eigen::VectorXd own;
  };

  Skeleton skeleton;   // rests in a T-pose, with all joint frames aligned with the model's axes
  JointLimits ranges;  // per joint: the axes of its angles, and how far they turned
  std::vector<Angle> angles;
  std::vector<Component> components;
};

// Returns the statistics; the same object at every call.
const HumanMotion& MeasuredHumanMotion();

// Returns whether the statistics may contain motions of a person of the CMU collection, whose people are numbers as in
// the names of its files ("07"). False for the people that were left out, and for names that are no number.
bool IsMeasuredPerson(std::string_view person);

// Draws the angles of a pose, one entry per joint of motion.skeleton; angles without statistics are 0. spread: factor
// on the deviations from a component's mean: 1 draws poses as people take them, more draws rarer ones. Angles stay
// inside motion.ranges.
std::vector<SwingTwist> DrawHumanPose(const HumanMotion& motion, double spread, Random& random);

}  // namespace sinew

#endif  // SINEW_OFFLINE_ANATOMY_HUMAN_MOTION_H_
