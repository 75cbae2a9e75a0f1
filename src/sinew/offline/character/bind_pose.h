// The bind pose of a skin, and its comparison with the rest pose that the file shows. glTF stores the two separately:
// the bind pose as inverse bind matrices, the rest pose as node transforms.
#ifndef SINEW_OFFLINE_CHARACTER_BIND_POSE_H_
#define SINEW_OFFLINE_CHARACTER_BIND_POSE_H_

#include "sinew/offline/character/character.h"

namespace sinew {

// Returns the character's skeleton with the bind pose of a skin as its rest pose: joints stand in mesh data space of
// that skin. skin: index into Character::skins. Joints that the skin lacks, or whose inverse bind matrix cannot be
// inverted, coincide with their parent.
Skeleton BindSkeleton(const Character& character, int skin);

// Returns the pose of the character's skeleton in which a skin leaves its mesh as it is, up to a motion of the whole.
// Joints that the skin lacks, or whose inverse bind matrix cannot be inverted, have their rest transform relative to
// the parent; so have joints whose rotation and place are those of rest but for rounding.
Pose BindPose(const Character& character, int skin);

struct BindComparison {
  // Map from mesh data space to model space given by the skin's first joint. If rest is the bind pose, all joints give
  // it.
  Eigen::Affine3f model_from_mesh = Eigen::Affine3f::Identity();
  int joints = 0;            // number of joints in the skin
  int moved = 0;             // number of joints that stand elsewhere in the rest pose than in the bind pose
  int singular = 0;          // number of joints that cannot be compared: their inverse bind matrix has no inverse
  double largest_turn = 0;   // largest rotation of a joint between the two poses, radians
  double largest_shift = 0;  // largest translation of a joint between the two poses, model units
  int furthest_joint = -1;   // joint that moved most, by rotation, then by translation; -1 if none moved
};

// Return the rotation angle (radians) and the scale of model_from_mesh.
double WholeTurn(const BindComparison& comparison);
double WholeScale(const BindComparison& comparison);

// Compares the rest pose with the bind pose of a skin, joint by joint. size: size of the character in model units;
// translations below a thousandth of it and rotations below a tenth of a degree do not count.
BindComparison CompareRestWithBind(const Character& character, int skin, double size);

}  // namespace sinew

#endif  // SINEW_OFFLINE_CHARACTER_BIND_POSE_H_
