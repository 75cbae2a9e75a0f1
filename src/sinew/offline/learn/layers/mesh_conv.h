// Convolution on the edges of a triangle mesh (R. Hanocka et al., "MeshCNN", 2019, Eq. 2 and 3, as P. Li et al.,
// "Learning Skeletal Articulations with Neural Blend Shapes", 2021, use it).
#ifndef SINEW_OFFLINE_LEARN_LAYERS_MESH_CONV_H_
#define SINEW_OFFLINE_LEARN_LAYERS_MESH_CONV_H_

#include <array>
#include <vector>

#include "sinew/offline/learn/layers/matrix.h"
#include "sinew/offline/mesh/edges.h"

namespace sinew::layers {

// The four edges a, b, c, d around each edge e: a follows e in its first triangle and b follows a; c follows e in the
// second triangle and d follows c. The triangles' order does not matter to the convolution, which is symmetric in it.
struct EdgeRings {
  std::vector<std::array<int, 4>> rings;  // -1 where there is no triangle
  Csr seen_by;                            // row f: 4 * e + k for every ring e whose entry k is f, increasing

  int edge_count() const { return static_cast<int>(rings.size()); }
};

// Takes the rings as they are. Throws UsageError for an edge that does not exist.
EdgeRings MakeEdgeRings(std::vector<std::array<int, 4>> rings);
// Returns the rings of a mesh, in the order of `edges`. At an edge of three triangles or more the first two count.
EdgeRings RingsOf(const EdgeTable& edges);

// Sets y = [e, a + c, b + d, |a - c|, |b - d|] W + bias; missing neighbours are zero. W: 5 times the channels of x by
// outputs. bias: one number per output, or empty.
void MeshConv(const EdgeRings& rings, const ConstRows& x, const ConstRows& W, std::span<const float> bias, Rows y);

// Adds the gradients of x, W and bias for the gradient `dy` of y. dx: may be null. |a - c| has slope zero at zero.
void MeshConvBackward(const EdgeRings& rings, const ConstRows& x, const ConstRows& W, const ConstRows& dy, Rows* dx,
                      Rows dW, std::span<float> dbias);

}  // namespace sinew::layers

#endif  // SINEW_OFFLINE_LEARN_LAYERS_MESH_CONV_H_
