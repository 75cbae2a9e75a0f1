// Splitting of tetrahedra that contain several separate pieces of flesh, such as a cell between two fingers. Each piece
// gets a tetrahedron and nodes of its own, joined to others only where the flesh is (the virtual nodes of N. Molino,
// Z. Bao, R. Fedkiw, "A Virtual Node Algorithm for Changing Mesh Topology During Simulation", 2004, for a body that was
// never joined).
#ifndef SINEW_OFFLINE_FLESH_SPLIT_SHEETS_H_
#define SINEW_OFFLINE_FLESH_SPLIT_SHEETS_H_

#include <array>
#include <vector>

#include "sinew/offline/mesh/embedding.h"

namespace sinew::flesh {

// Number of sample points per tetrahedron that are tested for being flesh.
constexpr int kFleshSamples = 11;
// Barycentric coordinates of the sample points: the centre, one point near each corner and one near the middle of each
// edge.
const std::array<Eigen::Vector4d, kFleshSamples>& FleshSamples();

// Tetrahedra after the split, each with one piece of flesh.
struct SplitTets {
  TetMesh mesh;
  std::vector<int> cover_of;                           // one per tetrahedron: index of the one of the cover it is from
  std::vector<std::array<bool, kFleshSamples>> flesh;  // one per tetrahedron: whether each sample is its own flesh
  std::vector<std::array<bool, kFleshSamples>> other;  // one per tetrahedron: whether it is flesh of another piece
  Embedding surface;                                   // of the surface's vertices, in `mesh`
};

// Splits the cover into one tetrahedron per piece of flesh. cover: tetrahedra around the surface (bcc_lattice.h);
// tetrahedra without any flesh are left out. Two pieces are joined if a straight line inside the surface, or an edge of
// it, connects them.
SplitTets SplitSheets(const TetMesh& cover, const TriMesh& surface);

}  // namespace sinew::flesh

#endif  // SINEW_OFFLINE_FLESH_SPLIT_SHEETS_H_
