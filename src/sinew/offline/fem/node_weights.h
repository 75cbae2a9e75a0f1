// Skin weights carried over to the nodes of the tetrahedra around the skin.
#ifndef SINEW_OFFLINE_FEM_NODE_WEIGHTS_H_
#define SINEW_OFFLINE_FEM_NODE_WEIGHTS_H_

#include <vector>

#include "sinew/offline/fem/skin_frames.h"
#include "sinew/offline/mesh/embedding.h"

namespace sinew::fem {

// Those which, interpolated, come nearest to the skin's and change evenly in between: least squares over the skin's
// area plus a little of the differences along edges. One per node.
std::vector<Influences> FitNodeWeights(const TetMesh& mesh, const TriMesh& skin, const Embedding& embedding,
                                       const std::vector<Influences>& influences, int joints, double cell_size);

}  // namespace sinew::fem

#endif  // SINEW_OFFLINE_FEM_NODE_WEIGHTS_H_
