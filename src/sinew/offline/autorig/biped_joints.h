// The 24 joints that a mesh is rigged with, those of the usual body skeleton, and what other programs call them.
#ifndef SINEW_OFFLINE_AUTORIG_BIPED_JOINTS_H_
#define SINEW_OFFLINE_AUTORIG_BIPED_JOINTS_H_

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

#include "sinew/offline/character/skeleton.h"

namespace sinew::autorig {

constexpr int kJoints = 24;

struct BipedJoint {
  const char* name;  // "left_elbow"
  int parent;        // -1 for the pelvis
  int mirrored;      // its mirror image; itself in the middle of the body
};
// Parents come before children.
const std::array<BipedJoint, kJoints>& BipedJoints();

// Positions of all joints.
using JointPositions = Eigen::Matrix<double, kJoints, 3, Eigen::RowMajor>;

// Returns the joints of a character by their names, in the order of BipedJoints(). Throws InputError, naming `file` and
// the joints, if some are missing.
std::array<int, kJoints> FindBipedJoints(const Skeleton& skeleton, const std::string& file);

// Names of all joints in the order of BipedJoints().
using JointNames = std::array<std::string, kJoints>;

// Names of the sets that NamesOf() knows: "smpl", "mixamo", "unreal", "vrm" and "blender".
std::vector<std::string> NameSets();
// Returns a set of names. Throws UsageError for a set that does not exist, which lists those that do.
JointNames NamesOf(const std::string& set);
// Reads names from the text of a JSON object that has one string for every name of "smpl". Throws InputError for one
// that is missing, empty or given twice. file: for messages.
JointNames ParseNames(const std::string& text, const std::string& file);
// Returns the names of a set, or those of a file if `names` ends in ".json".
JointNames NamesFor(const std::string& names);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_BIPED_JOINTS_H_
