// Weights from the working surface that a network saw to the vertices of the file.
#ifndef SINEW_OFFLINE_AUTORIG_CARRY_WEIGHTS_H_
#define SINEW_OFFLINE_AUTORIG_CARRY_WEIGHTS_H_

#include <vector>

#include "sinew/offline/autorig/biped_joints.h"
#include "sinew/offline/autorig/edge_input.h"
#include "sinew/offline/character/character.h"

namespace sinew::autorig {

// Weights of vertices: the mean of those of their edges, by area. A vertex without edges has none.
RowMatrix VertexWeights(const RowMatrix& edge_weights, const EdgeInput& input, int vertices);

// Weights at the vertices of another mesh of the same body: of the nearest vertices of the surface whose normals do not
// point the other way, the nearer the more. weights: one row per vertex of `surface`.
RowMatrix CarryOver(const TriMesh& surface, const RowMatrix& weights, const TriMesh& target);

// Island of a mesh that was too small to be seen, and is bound as one piece.
struct BoundIsland {
  int vertices = 0;
  int joint = 0;  // that carries most of it
};
// Gives every island of triangles that were left out the mean weights of its vertices, so that buttons and eyes move as
// they are. Vertices without triangles keep theirs.
std::vector<BoundIsland> BindIslands(const TriMesh& mesh, const std::vector<bool>& left_out, RowMatrix& weights);

// Sets weights to zero of joints that are more than two steps of the skeleton away from a row's strongest, and scales
// the rest to sum to 1: a hand never follows the other hand, however little. weights: one column per joint of
// BipedJoints().
void PruneFarJoints(RowMatrix& weights);

// Keeps the largest weights of every row, at most `most`, and scales them to sum to 1.
SkinWeights KeepLargest(const RowMatrix& weights, int most);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_CARRY_WEIGHTS_H_
