// Procedural skeletons for tests: the 24-joint body in any rest pose, with any joint frames.
#ifndef SINEW_TESTS_SUPPORT_RIGS_H_
#define SINEW_TESTS_SUPPORT_RIGS_H_

#include <Eigen/Geometry>
#include <cstdint>
#include <string>
#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/character/skeleton.h"
#include "sinew/offline/core/random.h"

namespace sinew::testing {

struct RigOptions {
  double arm_down = 0;   // radians that the arms hang below horizontal: 0 a T-pose, 0.8 an A-pose
  double leg_apart = 0;  // radians
  double height = 1.7;
  bool z_up = false;
  uint64_t frames_seed = 0;  // 0: joint frames aligned with the world; otherwise random ones
  int spines = 3;
  bool collars = true;
  // Names for the joints, in the order of BodyJoints() in rigs.cc; empty: the canonical ones.
  std::vector<std::string> names = {};
};

Skeleton MakeRig(const RigOptions& options);

Eigen::Quaternionf RandomRotation(Random& random, double most);

// A skin that all joints may move, bound where they are.
Skin BoundAt(const std::vector<Eigen::Affine3f>& joints);

// Rest, with every joint turned by up to `most` radians and the first one moved a little.
Pose RandomPose(const Skeleton& skeleton, Random& random, double most);

// A finger and a thumb as some files keep them: all joints side by side, with the tips first and the wrist last.
Skeleton MakeFlatHand();

// A body whose ankles hang from nothing, as rigs with inverse kinematics keep them, with a small triangle at every
// joint and an animation that moves the ankles to where the knees carry them. frames_seed: as in RigOptions, and of the
// animation. `ankles` names the joints, `knees` what carries them.
struct FreeFeet {
  Character character;
  std::vector<int> ankles, knees;
};
FreeFeet MakeFreeFeet(uint64_t frames_seed);

// One rotation a joint, each by at most this angle about a random axis.
std::vector<Eigen::Quaterniond> RandomDeltas(size_t joints, Random& random, double angle);

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_RIGS_H_
