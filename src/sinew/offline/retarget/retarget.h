// Motions from one skeleton to another: docs/retargeting.md.
//
// Joints are matched by what they are (joint_names.h), then turns are carried over in model space: how far a joint has
// turned from its rest, in the body's own frame, is what its counterpart turns. Limbs are first laid along the source's
// resting limbs, so that they reach the source's directions whatever pose either rig rests in; joints that one rig
// lacks are absorbed by their neighbours, because turns in model space already hold those of all parents.
#ifndef SINEW_OFFLINE_RETARGET_RETARGET_H_
#define SINEW_OFFLINE_RETARGET_RETARGET_H_

#include <string>
#include <string_view>
#include <vector>

#include "sinew/offline/anatomy/rest_body.h"
#include "sinew/offline/character/clip.h"

namespace sinew::retarget {

// What a target joint follows.
struct JointMatch {
  int source = -1;       // joint of the source; -1: none, the joint keeps its place on its parent
  int second = -1;       // chains of different length: another joint of the source to go part of the way to, or -1
  double blend = 0;      // how far, in [0, 1)
  bool by_hand = false;  // from a map file
};

struct RetargetMap {
  std::vector<JointMatch> joints;  // one per target joint
};

// By equal names if both skeletons share most of theirs, otherwise by what joints are.
RetargetMap GuessMap(const Skeleton& source, const Skeleton& target);

// Overrides from JSON text: an object {"target joint": "source joint" or null}. Throws InputError for anything else and
// for names that are not there.
void ApplyMapText(std::string_view text, const std::string& file, const Skeleton& source, const Skeleton& target,
                  RetargetMap& map);

// "left_knee  <- mixamorig:LeftLeg  (left_knee)" per line, then what found no partner on either side.
std::string DescribeMap(const RetargetMap& map, const Skeleton& source, const Skeleton& target);

struct RetargetOptions {
  bool in_place = false;  // keep the body over the spot where it rests; it still goes up and down
};

// The motion for the target skeleton. Root movement is scaled by the ratio of leg lengths (of overall sizes without
// legs). Same names and rest pose on both sides: the frames come back bit for bit. Throws FailedError if no joint has a
// match.
Clip Retarget(const Clip& clip, const Skeleton& target, const RetargetMap& map, const RetargetOptions& options = {});

}  // namespace sinew::retarget

#endif  // SINEW_OFFLINE_RETARGET_RETARGET_H_
