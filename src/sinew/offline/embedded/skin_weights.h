// Skinning weights of an embedded figure: smooth, local, and independent of the number of vertices.
//
// Every vertex is first assigned to the nearest bones among the joints of the groups that own it (so that a finger
// never belongs to its neighbour, nor an arm to the trunk). These indicators w0 are then diffused over the surface: (L
// + H M) w = H M w0 with L the cotangent Laplacian, M the vertex areas and H = c / d^2, d the distance to the bone. The
// transition at a joint is thereby about as wide as the limb is thick. The equation is that of I. Baran and J. Popovic,
// "Automatic Rigging and Animation of 3D Characters", 2007 (there H w0 comes from the nearest visible bone).
#ifndef SINEW_OFFLINE_EMBEDDED_SKIN_WEIGHTS_H_
#define SINEW_OFFLINE_EMBEDDED_SKIN_WEIGHTS_H_

#include "sinew/offline/character/character.h"
#include "sinew/offline/embedded/kind.h"
#include "sinew/offline/mesh/extract_surface.h"

namespace sinew::embedded {

// Returns the index of each joint's mirror image (left_x and right_x); of the joint itself if it has none.
std::vector<int> MirrorJoints(const std::vector<FigureJoint>& joints);

// Returns for each group the joints whose bones lie in it: the joints of its primitives, and their descendants that no
// primitive of any group names.
std::vector<std::vector<int>> GroupJoints(const Figure& figure);

// Computes skinning weights, four influences per vertex. Throws FailedError if the equation cannot be solved.
// surface: implicit surface of figure.sculpture.
// mesh: mesh of `figure`, on `surface`.
// half: `mesh` is the half with x >= 0 of a symmetric figure; the weights returned are those of Mirror(mesh).
SkinWeights MakeSkinWeights(const Figure& figure, const Implicit& surface, const FineMesh& mesh, bool half);

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_SKIN_WEIGHTS_H_
