// Left-right symmetry of a character: a plane such that the mirror image of the skin in the bind pose is the skin
// itself, and every joint changes places with one that hangs alike. What such a body does in a pose, it does
// mirror-inverted in the mirrored pose.
#ifndef SINEW_OFFLINE_CHARACTER_SYMMETRY_H_
#define SINEW_OFFLINE_CHARACTER_SYMMETRY_H_

#include <array>
#include <optional>
#include <vector>

#include "sinew/offline/character/character.h"

namespace sinew {

struct Symmetry {
  Eigen::Affine3f reflection = Eigen::Affine3f::Identity();  // of model space, at the plane
  std::vector<int> partners;  // one per joint: the joint that it changes places with, or itself
  // Per vertex, parts in order: the place of the surface, in the bind pose, where the vertex's mirror image is.
  struct Place {
    std::array<int, 3> vertices{};
    std::array<float, 3> weights{};
  };
  std::vector<Place> places;
  std::vector<Eigen::Affine3f> bind;  // one per joint: its frame in the bind pose, in model space
};

// A surface that is its own mirror image.
struct MirrorImage {
  Eigen::Affine3f reflection = Eigen::Affine3f::Identity();
  std::vector<Symmetry::Place> places;  // one per vertex, as in Symmetry
};
// Finds the mirror image of a surface at the plane through its middle with this normal, which has length 1; nothing if
// that is not the surface itself, within the tolerance of FindSymmetry().
std::optional<MirrorImage> FindMirrorImage(const TriMesh& mesh, const Eigen::Vector3f& normal);

// Finds the symmetry; nothing if there is none. The plane is orthogonal to an axis of the file. Surfaces may be meshed
// otherwise on both sides: mirror images need only be within a thousandth of the character's size of the surface.
// Says nothing of weights: skinning by one-sided weights does not commute with mirroring.
std::optional<Symmetry> FindSymmetry(const Character& character);

// Returns the mirror image of a pose of the skeleton that the symmetry was found for.
Pose MirrorPose(const Symmetry& symmetry, const Skeleton& skeleton, const Pose& pose);

// Returns the mirror image of a shape: the skin's vertices in model space, in any pose.
Points MirrorShape(const Symmetry& symmetry, const Points& shape);

}  // namespace sinew

#endif  // SINEW_OFFLINE_CHARACTER_SYMMETRY_H_
