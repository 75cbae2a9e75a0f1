// Skinning weights for the nodes of the tetrahedral lattice that the skin is embedded in, and the weights with which
// the skin follows that flesh or its own bones.
#ifndef SINEW_OFFLINE_FLESH_NODE_WEIGHTS_H_
#define SINEW_OFFLINE_FLESH_NODE_WEIGHTS_H_

#include <vector>

#include "sinew/offline/flesh/skin_frames.h"
#include "sinew/offline/mesh/csr.h"
#include "sinew/offline/mesh/embedding.h"

namespace sinew::flesh {

// Fits weights to the nodes, one entry per node, that interpolate to the skin's weights and change evenly in between:
// least squares over the skin's area plus a small penalty on differences along edges.
// Keeps the strongest weights per node, scaled to sum 1.
// embedding: of the skin's vertices in `mesh`. influences: one per vertex of the skin. joints: number of joints.
// cell_size: edge of the lattice's cubes, in the positions' unit; it makes the areas free of units.
std::vector<Influences> FitNodeWeights(const TetMesh& mesh, const TriMesh& skin, const Embedding& embedding,
                                       const std::vector<Influences>& influences, int joints, double cell_size);

struct SkinFollowingOptions {
  double cell_size = 0;     // edge of the lattice's cubes, in the positions' unit
  int joints = 0;           // number of joints
  int smoothing_steps = 0;  // each moves values halfway to the mean of their neighbours; n steps spread sqrt(n)/2 edges
};

// Weights that blend the skinning frame of the flesh under each vertex of the skin: those of its tetrahedron's nodes,
// interpolated and smoothed along the skin's edges so that no cell shows. Flesh is solved in the frames of its nodes;
// skin that followed it in other frames would not be where its flesh is. With its own weights instead, skin would turn
// inside out in a bend although no flesh does, wherever those weights change within less than a cell, as at elbows and
// groins of many characters.
// of_nodes: one per node of `mesh`. neighbours: per vertex of the skin, the vertices it shares an edge with.
std::vector<Influences> FleshWeights(const TetMesh& mesh, const TriMesh& skin, const Embedding& embedding,
                                     const std::vector<Influences>& of_nodes, const Csr& neighbours,
                                     const SkinFollowingOptions& options);

// Share, per vertex, by which the skin follows its flesh rather than its own bones: 1 only flesh, 0 only bones. It
// grows with the skin's thickness (see MeasureThickness) as a fraction of a cell and is smoothed along the skin's
// edges. Where a part is thinner than a cell, as the fingers of a whole body are, the nodes cannot tell its bones
// apart, and flesh would take a fingertip centimetres away from its bone.
std::vector<double> FleshShares(const TriMesh& skin, const Csr& neighbours, const SkinFollowingOptions& options);

// Mixes two sets of weights, one entry per vertex each: shares[v] times the first plus 1 - shares[v] times the second,
// of which the strongest are kept and scaled to sum 1.
std::vector<Influences> MixWeights(const std::vector<Influences>& first, const std::vector<Influences>& second,
                                   const std::vector<double>& shares, int joints);

}  // namespace sinew::flesh

#endif  // SINEW_OFFLINE_FLESH_NODE_WEIGHTS_H_
