// The subject of computing skinning weights: the surface of a character and the joints that may carry it, in one space.
#ifndef SINEW_OFFLINE_SKINCELLS_SUBJECT_H_
#define SINEW_OFFLINE_SKINCELLS_SUBJECT_H_

#include <string>
#include <vector>

#include "sinew/offline/character/character.h"

namespace sinew::skincells {

// Everything is in bind space (character/rest_surface.h).
struct Subject {
  TriMesh surface;                           // of the entries of `parts`, welded: seams and borders of materials close
  std::vector<int> parts;                    // indices of the character's parts that take weights
  std::vector<std::vector<int>> surface_of;  // per entry of parts, per vertex of that part: its surface vertex
  std::vector<Eigen::Affine3f> bind_from_mesh;  // one per entry of parts
  Skeleton skeleton;                            // the character's, its rest pose replaced by the bind pose
  std::vector<Eigen::Affine3f> inverse_bind;    // one per joint of the skeleton, from bind space
  std::vector<int> joints;                      // indices into `skeleton` of joints that may carry weight, increasing
  // From model space to bind space: undoes what the file's rest pose does to the mesh as a whole, measured at
  // joints[0].
  Eigen::Affine3f bind_from_model;
  Eigen::Vector3d origin;  // centre of the surface's bounding box
  double size = 1;         // longest side of that box

  // Returns the position of a joint in the bind pose. joint: index into `skeleton`.
  Eigen::Vector3d JointPosition(int joint) const;
  // Takes a point from bind space to the unit box, which is centred on zero.
  Eigen::Vector3d ToBox(const Eigen::Vector3d& x) const { return (x - origin) / size; }
};

// Collects the skinned parts of a character. Parts without a skin, and those attached rigidly to a joint (their node is
// below it), are left out and stay as they are. Throws InputError, naming `file`, for a character without a skeleton,
// without a skinned part, without a triangle, without a joint that can carry weight, or with a position that is not
// finite.
Subject MakeSubject(const Character& character, const std::string& file);

// Gives an unskinned character a skeleton: every part gets a skin that binds it to the skeleton's rest pose where it
// stands, with all weight on the first joint that is not a helper until it is given weights. Mesh data stays as it is;
// the parts' model_from_mesh moves into the bind matrices.
void AdoptSkeleton(const Skeleton& skeleton, Character& character);

// Copies weights of the surface's vertices to the vertices of the parts, and adds joints to a part's skin where it
// lacks one that now has weight. weights: its joints are indices into the skeleton, not into Subject::joints.
void ApplyWeights(const Subject& subject, const SkinWeights& weights, Character& character);
// Returns the parts' weights on the surface's vertices, joints as in ApplyWeights. Of vertices that are welded into
// one, the first counts: of the first of their parts, the one with the lowest index.
SkinWeights SurfaceWeights(const Subject& subject, const Character& character);

// Returns the matrices of linear blend skinning, one per joint of the skeleton, from bind space to bind space: the
// posed surface in model space, taken back by bind_from_model, so that they are close to identity at rest.
// file_skeleton: the character's, with the file's rest pose.
std::vector<Eigen::Affine3d> SkinningMatrices(const Subject& subject, const Skeleton& file_skeleton, const Pose& pose);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_SUBJECT_H_
