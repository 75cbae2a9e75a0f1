// Skin weights carried over to the nodes of the tetrahedra around the skin.
#ifndef SINEW_OFFLINE_FEM_NODE_WEIGHTS_H_
#define SINEW_OFFLINE_FEM_NODE_WEIGHTS_H_

#include <vector>

#include "sinew/offline/fem/skin_frames.h"
#include "sinew/offline/mesh/csr.h"
#include "sinew/offline/mesh/embedding.h"

namespace sinew::fem {

// A third of the triangles around each vertex.
std::vector<double> VertexAreas(const TriMesh& skin);

// Those which, interpolated, come nearest to the skin's and change evenly in between: least squares over the skin's
// area plus a little of the differences along edges. One per node.
std::vector<Influences> FitNodeWeights(const TetMesh& mesh, const TriMesh& skin, const Embedding& embedding,
                                       const std::vector<Influences>& influences, int joints, double cell_size);

// The weights that the skin's frames are blended by, one per vertex. Flesh is solved in its nodes' frames, and skin
// that follows it in others is not where flesh has it: where a skin's weights change within less than a cell, as at
// elbows and groins of many characters, it turns inside out in a bend although no flesh does. So skin over thick flesh
// has the nodes' weights, interpolated and evened out along its edges so that no cell shows. Parts thinner than a cell
// (fingers, ears), whose bones the nodes cannot tell apart, keep their own.
struct FrameWeightsOptions {
  double cell_size = 0;
  int joints = 0;
  int smoothing_steps = 0;  // each spreads by half an edge
};
std::vector<Influences> FrameWeights(const TetMesh& mesh, const TriMesh& skin, const Embedding& embedding,
                                     const std::vector<Influences>& of_nodes, const std::vector<Influences>& own,
                                     const Csr& neighbours, const FrameWeightsOptions& options);

// How much of the flesh's displacements the skin takes, one per vertex from 0 to 1. Those are in the nodes' frames, and
// skin over thin parts has its own: where a part lies in a cell or two, as the fingers of a whole body do, they mostly
// tell how far these frames are apart, and would take a fingertip centimetres away from its bone. Such skin follows its
// bones alone.
std::vector<double> FleshShares(const TriMesh& skin, const Csr& neighbours, const FrameWeightsOptions& options);

}  // namespace sinew::fem

#endif  // SINEW_OFFLINE_FEM_NODE_WEIGHTS_H_
