// Retargeting of motions from one skeleton to another: docs/retargeting.md.
//
// Joints are matched by their anatomical identity (joint_names.h). Rotations are then transferred in model space: each
// joint gets its counterpart's rotation away from rest, expressed in the frame of the body. The target's limbs are
// first aligned with the source's limbs at rest, so that they reach the source's directions whatever the two rest poses
// are. Joints that one rig lacks are absorbed by their neighbours, because rotations in model space include those of
// all parents.
#ifndef SINEW_OFFLINE_RETARGET_RETARGET_H_
#define SINEW_OFFLINE_RETARGET_RETARGET_H_

#include <string>
#include <string_view>
#include <vector>

#include "sinew/offline/anatomy/rest_body.h"
#include "sinew/offline/character/clip.h"

namespace sinew::retarget {

// Source joints that a target joint follows.
struct JointMatch {
  int source = -1;       // index of the source joint; -1: none, the joint stays at rest relative to its parent
  int second = -1;       // for chains of different length: second source joint to blend towards, or -1
  double blend = 0;      // weight of `second`, in [0, 1)
  bool by_hand = false;  // whether the match is from a map file
};

struct RetargetMap {
  std::vector<JointMatch> joints;  // one per target joint
};

// Matches joints by equal names if the skeletons share most of their names, otherwise by anatomical identity.
RetargetMap GuessMap(const Skeleton& source, const Skeleton& target);

// Overrides matches from JSON text, an object {"target joint": "source joint" or null}; null leaves a joint without
// match. Throws InputError, naming `file`, for anything else and for names that the skeletons lack.
void ApplyMapText(std::string_view text, const std::string& file, const Skeleton& source, const Skeleton& target,
                  RetargetMap& map);

// Describes the map for users: "left_knee  <- mixamorig:LeftLeg  (left_knee)" per line, then the joints without match
// on either side.
std::string DescribeMap(const RetargetMap& map, const Skeleton& source, const Skeleton& target);

struct RetargetOptions {
  bool in_place = false;  // whether to keep the body over the spot where it rests; it still moves up and down
};

// Returns the motion for the target skeleton. Root movement is scaled by the ratio of leg lengths (of overall sizes
// without legs). If names and rest pose are the same on both sides, the frames are returned bit for bit, and if only
// the joints' frames differ, as in a BVH file of the same body, without a guess (own_motion.h); unless in_place is set
// or a match is by hand. Throws Error (kInput) if no joint has a match.
Clip Retarget(const Clip& clip, const Skeleton& target, const RetargetMap& map, const RetargetOptions& options = {});

}  // namespace sinew::retarget

#endif  // SINEW_OFFLINE_RETARGET_RETARGET_H_
