// Joints that a user names: by the name in the file, or by what they are in a body, as "left_elbow".
#ifndef SINEW_OFFLINE_ANATOMY_FIND_JOINT_H_
#define SINEW_OFFLINE_ANATOMY_FIND_JOINT_H_

#include <string>
#include <string_view>

#include "sinew/offline/anatomy/joint_names.h"

namespace sinew {

// Returns the index of the joint with this name in the file; if there is none, of the joint with this canonical name
// (CanonicalName() of joint_names.h); -1 if there is none either.
// identities: one per joint, of IdentifyJoints().
int FindNamedJoint(const Skeleton& skeleton, const std::vector<JointIdentity>& identities, std::string_view name);

// Returns the sentence for a name that FindNamedJoint() does not know, which lists the nearest names of both kinds.
std::string UnknownJoint(const Skeleton& skeleton, const std::vector<JointIdentity>& identities, std::string_view name);

}  // namespace sinew

#endif  // SINEW_OFFLINE_ANATOMY_FIND_JOINT_H_
