// What a joint is, told from its name and its place: the rigs of Mixamo, Unreal, Rigify, VRM, SMPL, Biovision and CMU
// BVH files, WebXR hands and glTF's sample figures all name the same few joints in their own ways. Names are split into
// words, sides are found wherever they stand, and words that mean different joints in different rigs ("shoulder",
// "foot", "hand", "leg") are settled by what else the rig has. docs/retargeting.md has the tables.
#ifndef SINEW_OFFLINE_ANATOMY_JOINT_NAMES_H_
#define SINEW_OFFLINE_ANATOMY_JOINT_NAMES_H_

#include <string>
#include <string_view>
#include <vector>

#include "sinew/offline/character/skeleton.h"

namespace sinew {

enum class JointKind {
  kUnknown,
  kRoot,    // above the pelvis: places the body in the world
  kPelvis,  // where legs and spine meet
  kSpine,
  kNeck,
  kHead,
  kJaw,
  kEye,
  kEar,
  kCollar,
  kShoulder,  // turns the upper arm
  kElbow,
  kWrist,
  kHand,  // turns all fingers of a rig that has none, as in SMPL
  kThumb,
  kIndex,
  kMiddle,
  kRing,
  kPinky,
  kHip,  // turns the thigh
  kKnee,
  kAnkle,
  kFoot,  // ball of the foot: turns the toes
  kTail,
  kTwist,  // spreads another joint's twist along a limb
  kTip,    // end of a chain: marks a length, turns nothing
};

enum class Side { kNone, kLeft, kRight };

struct JointIdentity {
  JointKind kind = JointKind::kUnknown;
  Side side = Side::kNone;
  // Place in its chain where there may be several: spine, neck and tail from 1; fingers 0 metacarpal, 1 to 3 phalanges,
  // 4 tip; thumbs 1 metacarpal, 2 and 3 phalanges, 4 tip. 0 otherwise.
  int order = 0;

  bool operator==(const JointIdentity&) const = default;
  bool known() const { return kind != JointKind::kUnknown; }
};

// "left_knee", "spine2", "right_index1"; "" if unknown. These are also recognised as names.
std::string CanonicalName(const JointIdentity& identity);

bool IsFinger(JointKind kind);  // thumb included

// One per joint.
std::vector<JointIdentity> IdentifyJoints(const Skeleton& skeleton);

// -1 if there is none.
int FindJoint(const std::vector<JointIdentity>& identities, JointKind kind, Side side = Side::kNone, int order = 0);
// All joints of a chain, by order.
std::vector<int> FindChain(const std::vector<JointIdentity>& identities, JointKind kind, Side side = Side::kNone);

// Parents as anatomy has them. Some files keep every joint of a hand beside the others, with no hierarchy between them;
// there each known joint gets the one that it hangs from in a body. Elsewhere these are the skeleton's own parents. May
// name a later joint.
std::vector<int> AnatomicalParents(const Skeleton& skeleton, const std::vector<JointIdentity>& identities);

// Lower-case words and numbers of a name: "mixamorig:LeftForeArm" -> mixamorig left fore arm. For tests.
std::vector<std::string> SplitName(std::string_view name);

}  // namespace sinew

#endif  // SINEW_OFFLINE_ANATOMY_JOINT_NAMES_H_
