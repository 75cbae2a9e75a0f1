// Skin weights for the nodes of the tetrahedra around the skin, and which weights and flesh the skin itself follows.
#ifndef SINEW_OFFLINE_FLESH_NODE_WEIGHTS_H_
#define SINEW_OFFLINE_FLESH_NODE_WEIGHTS_H_

#include <vector>

#include "sinew/offline/flesh/skin_frames.h"
#include "sinew/offline/mesh/csr.h"
#include "sinew/offline/mesh/embedding.h"

namespace sinew::flesh {

// Area per vertex: a third of that of the triangles around it.
std::vector<double> VertexAreas(const TriMesh& skin);

// Fits weights to the nodes, one entry per node, that interpolate to the skin's weights and change evenly in between:
// least squares over the skin's area plus a small penalty on differences along edges.
// embedding: of the skin's vertices in `mesh`. influences: one per vertex of the skin. joints: number of joints.
std::vector<Influences> FitNodeWeights(const TetMesh& mesh, const TriMesh& skin, const Embedding& embedding,
                                       const std::vector<Influences>& influences, int joints, double cell_size);

struct SkinFollowingOptions {
  double cell_size = 0;     // edge of the lattice's cubes, in the positions' unit
  int joints = 0;           // number of joints
  int smoothing_steps = 0;  // along the skin's edges; each spreads by half an edge
};

// Weights that blend the skinning frame of the flesh under each vertex of the skin: those of its tetrahedron's nodes,
// interpolated and smoothed along the skin's edges so that no cell shows. Flesh is solved in the frames of its nodes;
// skin that followed it in other frames would not be where its flesh is. Where a skin's own weights change within less
// than a cell, as at elbows and groins of many characters, it would turn inside out in a bend although no flesh does.
// of_nodes: one per node of `mesh`. neighbours: row per vertex of the skin.
std::vector<Influences> FleshWeights(const TetMesh& mesh, const TriMesh& skin, const Embedding& embedding,
                                     const std::vector<Influences>& of_nodes, const Csr& neighbours,
                                     const SkinFollowingOptions& options);

// Share, per vertex, by which the skin follows its flesh rather than its own bones: 1 only flesh, 0 only bones. Where a
// part lies in a cell or two, as the fingers of a whole body do, the nodes cannot tell its bones apart, and flesh would
// take a fingertip centimetres away from its bone.
std::vector<double> FleshShares(const TriMesh& skin, const Csr& neighbours, const SkinFollowingOptions& options);

// Mixes two sets of weights, one entry per vertex each: shares[v] times the first plus 1 - shares[v] times the second.
std::vector<Influences> MixWeights(const std::vector<Influences>& first, const std::vector<Influences>& second,
                                   const std::vector<double>& shares, int joints);

}  // namespace sinew::flesh

#endif  // SINEW_OFFLINE_FLESH_NODE_WEIGHTS_H_
