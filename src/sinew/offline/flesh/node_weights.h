// Skin weights carried over to the nodes of the tetrahedra around the skin.
#ifndef SINEW_OFFLINE_FLESH_NODE_WEIGHTS_H_
#define SINEW_OFFLINE_FLESH_NODE_WEIGHTS_H_

#include <vector>

#include "sinew/offline/flesh/skin_frames.h"
#include "sinew/offline/mesh/csr.h"
#include "sinew/offline/mesh/embedding.h"

namespace sinew::flesh {

// A third of the triangles around each vertex.
std::vector<double> VertexAreas(const TriMesh& skin);

// Those which, interpolated, come nearest to the skin's and change evenly in between: least squares over the skin's
// area plus a little of the differences along edges. One per node.
std::vector<Influences> FitNodeWeights(const TetMesh& mesh, const TriMesh& skin, const Embedding& embedding,
                                       const std::vector<Influences>& influences, int joints, double cell_size);

struct SkinFollowingOptions {
  double cell_size = 0;
  int joints = 0;
  int smoothing_steps = 0;  // each spreads by half an edge
};

// The weights that blend the frame of the flesh under each vertex: its nodes', interpolated and evened out along the
// skin's edges so that no cell shows. Flesh is solved in its nodes' frames, and skin that follows it in others is not
// where flesh has it: where a skin's own weights change within less than a cell, as at elbows and groins of many
// characters, it would turn inside out in a bend although no flesh does.
std::vector<Influences> FleshWeights(const TetMesh& mesh, const TriMesh& skin, const Embedding& embedding,
                                     const std::vector<Influences>& of_nodes, const Csr& neighbours,
                                     const SkinFollowingOptions& options);

// How much each vertex is where its flesh is, from 0 to 1, rather than where its own bones put it. Where a part lies in
// a cell or two, as the fingers of a whole body do, its nodes cannot tell its bones apart, and flesh would take a
// fingertip centimetres away from its bone.
std::vector<double> FleshShares(const TriMesh& skin, const Csr& neighbours, const SkinFollowingOptions& options);

// The first ones by these shares, the second by the rest.
std::vector<Influences> MixWeights(const std::vector<Influences>& first, const std::vector<Influences>& second,
                                   const std::vector<double>& shares, int joints);

}  // namespace sinew::flesh

#endif  // SINEW_OFFLINE_FLESH_NODE_WEIGHTS_H_
