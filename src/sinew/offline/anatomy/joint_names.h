// Recognition of anatomical joints by their names and their places in the hierarchy. The rigs of Mixamo, Unreal,
// Rigify, VRM, SMPL, Biovision and CMU BVH files, WebXR hands and glTF's sample figures all name the same few joints in
// their own ways. Names are split into words, the side is found anywhere in the name, and words that mean different
// joints in different rigs ("shoulder", "foot", "hand", "leg") are resolved by the other joints of the rig.
// docs/retargeting.md has the tables.
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
  kHand,  // turns all fingers together in a rig without finger joints, as in SMPL
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

// Anatomical identity of a joint.
struct JointIdentity {
  JointKind kind = JointKind::kUnknown;
  Side side = Side::kNone;
  // Position in a chain of joints of the same kind. Spine, neck and tail: from 1. Fingers: 0 metacarpal, 1 to 3
  // phalanges, 4 tip. Thumbs: 1 metacarpal, 2 and 3 phalanges, 4 tip. All other kinds: 0.
  int order = 0;

  bool operator==(const JointIdentity&) const = default;
  bool known() const { return kind != JointKind::kUnknown; }
};

// Returns the canonical name: "left_knee", "spine2", "right_index1"; "" if unknown. Canonical names are recognised by
// IdentifyJoints().
std::string CanonicalName(const JointIdentity& identity);

bool IsFinger(JointKind kind);  // thumb included

// Identifies the joints of a skeleton; one result per joint, of kind kUnknown if the joint is not recognised.
std::vector<JointIdentity> IdentifyJoints(const Skeleton& skeleton);

// Returns the index of the joint with this identity, or -1 if there is none.
int FindJoint(const std::vector<JointIdentity>& identities, JointKind kind, Side side = Side::kNone, int order = 0);
// Returns the indices of all joints of this kind and side, sorted by their `order`.
std::vector<int> FindChain(const std::vector<JointIdentity>& identities, JointKind kind, Side side = Side::kNone);

// Returns the anatomical parent of every joint: its carrier (character/carriers.h) if it has one. Some files keep all
// joints of a hand as siblings; there each recognised finger joint gets the joint that it is attached to in a body. All
// other joints keep the skeleton's own parent. A parent's index may be larger than the joint's own.
std::vector<int> AnatomicalParents(const Skeleton& skeleton, const std::vector<JointIdentity>& identities);

// Returns the words and numbers of a name in lower case: "mixamorig:LeftForeArm" -> mixamorig left fore arm. Public for
// tests.
std::vector<std::string> SplitName(std::string_view name);

}  // namespace sinew

#endif  // SINEW_OFFLINE_ANATOMY_JOINT_NAMES_H_
