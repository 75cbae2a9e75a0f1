// The pose that a mesh was bound in, and how it differs from the pose that the file shows. glTF stores the two apart:
// inverse bind matrices for the one, node transforms for the other.
#ifndef SINEW_OFFLINE_CHARACTER_BIND_POSE_H_
#define SINEW_OFFLINE_CHARACTER_BIND_POSE_H_

#include "sinew/offline/character/character.h"

namespace sinew {

// The character's skeleton, its rest pose replaced by the bind pose of a skin: joints stand in the space of that skin's
// mesh data. Joints that the skin does not have, or whose inverse bind matrix cannot be inverted, follow their parent.
Skeleton BindSkeleton(const Character& character, int skin);

struct BindComparison {
  // What takes mesh data to the model where the skin's first joint is concerned: if rest is the bind pose, all of it.
  Eigen::Affine3f model_from_mesh = Eigen::Affine3f::Identity();
  int joints = 0;            // in the skin
  int moved = 0;             // stand elsewhere in the rest pose than in the bind pose
  int singular = 0;          // cannot be compared: their inverse bind matrix has no inverse
  double largest_turn = 0;   // radians
  double largest_shift = 0;  // in model units
  int furthest_joint = -1;   // by turn, then by shift; -1 if none moved
};

// The turn (radians) and the scale of model_from_mesh.
double WholeTurn(const BindComparison& comparison);
double WholeScale(const BindComparison& comparison);

// size: the character's, in model units; shifts below a thousandth of it and turns below a tenth of a degree are none.
BindComparison CompareRestWithBind(const Character& character, int skin, double size);

}  // namespace sinew

#endif  // SINEW_OFFLINE_CHARACTER_BIND_POSE_H_
