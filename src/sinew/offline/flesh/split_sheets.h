// Tetrahedra that hold several separate pieces of flesh, as a cell between two fingers does, made into several: one for
// each piece, with nodes of its own, joined only where the flesh is (the virtual nodes of N. Molino, Z. Bao, R. Fedkiw,
// "A Virtual Node Algorithm for Changing Mesh Topology During Simulation", 2004, for a body that was never joined).
#ifndef SINEW_OFFLINE_FLESH_SPLIT_SHEETS_H_
#define SINEW_OFFLINE_FLESH_SPLIT_SHEETS_H_

#include <array>
#include <vector>

#include "sinew/offline/mesh/embedding.h"

namespace sinew::flesh {

// Where a tetrahedron is asked whether it is flesh: its centre, one point near each corner and one near the middle of
// each edge, barycentric.
constexpr int kFleshSamples = 11;
const std::array<Eigen::Vector4d, kFleshSamples>& FleshSamples();

// One piece of flesh in one tetrahedron.
struct SplitTets {
  TetMesh mesh;
  std::vector<int> cover_of;                           // one per tetrahedron: the one of the cover that it was
  std::vector<std::array<bool, kFleshSamples>> flesh;  // which of its samples are its flesh
  std::vector<std::array<bool, kFleshSamples>> other;  // which are flesh of other pieces
  Embedding surface;                                   // of the surface's vertices
};

// cover: tetrahedra around the surface (bcc_lattice.h). Those without any flesh are left out. Two pieces are one if a
// straight line inside the surface, or an edge of it, joins them.
SplitTets SplitSheets(const TetMesh& cover, const TriMesh& surface);

}  // namespace sinew::flesh

#endif  // SINEW_OFFLINE_FLESH_SPLIT_SHEETS_H_
