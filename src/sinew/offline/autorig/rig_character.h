// Gives a mesh of a biped a skeleton and weights, in one call.
#ifndef SINEW_OFFLINE_AUTORIG_RIG_CHARACTER_H_
#define SINEW_OFFLINE_AUTORIG_RIG_CHARACTER_H_

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sinew/offline/autorig/carry_weights.h"
#include "sinew/offline/autorig/extra_joints.h"
#include "sinew/offline/autorig/rig_network.h"
#include "sinew/offline/autorig/verdict.h"

namespace sinew::autorig {

enum class RigWeights {
  kNetwork,    // those that the network answers
  kSkinCells,  // optimised for the skeleton that was found (skincells/)
};

struct RigOptions {
  JointNames names = NamesOf("smpl");
  RigWeights weights = RigWeights::kNetwork;
  int max_influences = 4;
  int steps = 1500;  // of the optimisation of weights
  uint64_t seed = 1;
  bool anyway = false;  // rig what is taken for no biped, too; the verdict on confidence then tells the doubt
  // Joints that were placed by hand, by index into BipedJoints(), in the file's space.
  std::map<int, Eigen::Vector3d> placed = {};
  // Skeleton whose other joints are added (extra_joints.h), with weights that are split off by optimised ones, and its
  // file for messages; null: none.
  const Skeleton* extra = nullptr;
  std::string extra_file = {};
};

struct Rig {
  Character character;    // the file's, with skeleton and weights; vertices, axes and unit are as they were
  BodyFrame frame;        // how it stands in its file
  JointPositions joints;  // in the file's space
  std::array<double, kJoints> spreads = {};  // of votes, as shares of the height
  std::vector<ExtraJoint> extra;             // beside the 24
  std::vector<BoundIsland> islands;
  bool both_sides = false;  // whether the body is its own mirror image, and so are joints and weights
  Verdicts verdicts;
};

// Rigs a character that has no skeleton. file: for messages. Throws InputError for a mesh without area, with positions
// that are not finite, or with a skeleton of its own; and, with what speaks against it, for what is no biped, unless
// all joints are placed by hand.
Rig RigCharacter(const Character& character, const RigNetwork& network, const RigOptions& options,
                 const std::string& file);

// Reads joints placed by hand: a JSON object of positions in the file's space, as {"left_knee": [0.1, 0.5, 0]}. Throws
// InputError for a joint that does not exist and for what is no position.
std::map<int, Eigen::Vector3d> ReadPlacedJoints(const std::string& file);
// The same from the text of such a file. file: for messages.
std::map<int, Eigen::Vector3d> ParsePlacedJoints(const std::string& text, const std::string& file);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_RIG_CHARACTER_H_
