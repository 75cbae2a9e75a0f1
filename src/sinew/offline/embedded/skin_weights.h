// Skinning weights of an embedded figure: smooth, local, the same at every number of vertices.
//
// Every vertex first belongs to the bones nearest to it, among the joints of the groups that own its place (so that a
// finger never belongs to its neighbour, nor an arm to the trunk). Then these indicators w0 are let flow over the
// surface, (L + H M) w = H M w0 with L the cotangent Laplacian, M the areas and H = c / d^2, d the distance to the
// bone: the transition at a joint is about as wide as the limb is thick. The equation is that of I. Baran and J.
// Popovic, "Automatic Rigging and Animation of 3D Characters", 2007 (there H w0 comes from the nearest visible bone).
#ifndef SINEW_OFFLINE_EMBEDDED_SKIN_WEIGHTS_H_
#define SINEW_OFFLINE_EMBEDDED_SKIN_WEIGHTS_H_

#include "sinew/offline/character/character.h"
#include "sinew/offline/embedded/kind.h"
#include "sinew/offline/mesh/extract_surface.h"

namespace sinew::embedded {

// The joint that mirrors each joint (left_x and right_x), itself for those that have none.
std::vector<int> MirrorJoints(const std::vector<FigureJoint>& joints);

// For each group, the joints whose bones lie in it: those of its primitives, and below them those that no primitive
// names.
std::vector<std::vector<int>> GroupJoints(const Figure& figure);

// mesh: of `figure`; with `half`, the half with x >= 0 of a symmetric one, and the weights are those of Mirror(mesh).
// Four influences.
SkinWeights MakeSkinWeights(const Figure& figure, const Implicit& surface, const FineMesh& mesh, bool half);

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_SKIN_WEIGHTS_H_
