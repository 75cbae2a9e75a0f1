#include "sinew/offline/mesh/bcc_lattice.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/bcc_grid.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/winding_number.h"

namespace sinew {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3i;

constexpr double kMargin = kCubeMargin;

// Two convex bodies are apart only if a face normal of one, or the cross product of two of their edges, separates them.
bool Overlap(const TetCorners& tet, const std::array<Vector3d, 3>& triangle, double margin) {
  const auto apart = [&](const Vector3d& axis) { return Separates(axis, tet, triangle, margin); };
  for (int k = 0; k < 3; ++k) {
    if (apart(Vector3d::Unit(k))) return false;  // not needed, but soonest
  }
  for (int k = 0; k < 4; ++k) {
    const Vector3d& p = tet[k];
    if (apart((tet[(k + 1) % 4] - p).cross(tet[(k + 2) % 4] - p))) return false;
  }
  const Vector3d edges[3] = {triangle[1] - triangle[0], triangle[2] - triangle[1], triangle[0] - triangle[2]};
  if (apart(edges[0].cross(edges[1]))) return false;
  for (int a = 0; a < 4; ++a) {
    for (int b = a + 1; b < 4; ++b) {
      for (const Vector3d& edge : edges) {
        if (apart((tet[b] - tet[a]).cross(edge))) return false;
      }
    }
  }
  return true;
}

// Tetrahedra of a cell that are kept: bit `which` is set if that one is.
using Mask = uint16_t;

struct Touched {
  int cell;
  Mask mask;
};

// A triangle without area, down to a point, is covered like any other.
void FindTouched(const BccGrid& grid, std::array<Vector3d, 3> triangle, std::vector<Touched>& found) {
  Eigen::AlignedBox3d box;
  for (Vector3d& corner : triangle) {
    corner -= grid.origin;
    box.extend(corner);
  }
  const auto cell_of = [&](const Vector3d& p, double offset) {
    const Eigen::Array3i c = ((p / grid.h).array() + offset).floor().cast<int>();
    return Vector3i(c.max(0).min(grid.cells.array() - 1));
  };
  // A tetrahedron reaches half a cube beyond the one that owns it, on every side towards +.
  const Vector3i first = cell_of(box.min(), -0.5 - kMargin), last = cell_of(box.max(), kMargin);
  const Vector3i count = last - first + Vector3i::Ones();
  for (int i = 0; i < count.prod(); ++i) {
    const Vector3i cell = first + Vector3i(i % count[0], i / count[0] % count[1], i / count[0] / count[1]);
    Mask mask = 0;
    for (int which = 0; which < kTetsPerCell; ++which) {
      const LatticeTet tet = TetOf(grid, cell, which);
      if (!tet.exists) continue;
      TetCorners corners;
      for (int k = 0; k < 4; ++k) corners[k] = grid.Position(tet.nodes[k]) - grid.origin;
      if (Overlap(corners, triangle, kMargin * grid.h)) mask = static_cast<Mask>(mask | 1 << which);
    }
    if (mask) found.push_back({grid.Cell(cell), mask});
  }
}

std::vector<Mask> TouchedTets(const BccGrid& grid, const TriMesh& surface) {
  std::vector<Mask> masks(grid.CellCount(), 0);
  const int triangles = surface.triangle_count(), items = triangles + surface.vertex_count();
  constexpr int kGrain = 256;
  std::vector<std::vector<Touched>> found((items + kGrain - 1) / kGrain);
  ParallelFor(items, kGrain, [&](int i) {
    std::array<Vector3d, 3> triangle;
    if (i < triangles) {
      triangle = Corners(surface, i);
    } else {
      triangle.fill(surface.positions.row(i - triangles).cast<double>().transpose());
    }
    FindTouched(grid, triangle, found[i / kGrain]);
  });
  for (const std::vector<Touched>& chunk : found) {
    for (const Touched& t : chunk) masks[t.cell] = static_cast<Mask>(masks[t.cell] | t.mask);
  }
  return masks;
}

std::vector<char> InsideNodes(const BccGrid& grid, const TriMesh& surface) {
  const WindingNumber winding(surface);
  std::vector<char> inside(grid.CornerCount() + grid.CellCount());
  ParallelFor(static_cast<int>(inside.size()), 512,
              [&](int node) { inside[node] = winding.Inside(grid.Position(node).cast<float>()); });
  return inside;
}

// Makes the mesh of the kept tetrahedra. Nodes and tetrahedra keep the order of the lattice.
TetMesh Collect(const BccGrid& grid, const std::vector<LatticeTet>& kept) {
  std::vector<int> number(grid.CornerCount() + grid.CellCount(), -1);
  for (const LatticeTet& tet : kept) {
    for (const int node : tet.nodes) number[node] = 0;
  }
  int count = 0;
  for (int& n : number) {
    if (n == 0) n = count++;
  }
  TetMesh mesh;
  mesh.positions.resize(count, 3);
  for (size_t node = 0; node < number.size(); ++node) {
    if (number[node] >= 0) mesh.positions.row(number[node]) = grid.Position(static_cast<int>(node)).transpose();
  }
  mesh.tets.resize(static_cast<Eigen::Index>(kept.size()), 4);
  for (size_t t = 0; t < kept.size(); ++t) {
    for (int k = 0; k < 4; ++k) mesh.tets(static_cast<Eigen::Index>(t), k) = number[kept[t].nodes[k]];
  }
  return mesh;
}

}  // namespace

TetMesh CoverByLattice(const TriMesh& surface, double cell_size) {
  if (surface.vertex_count() == 0) return {.positions = Nodes(0, 3), .tets = Tets(0, 4)};
  const BccGrid grid{MakeCubeGrid(surface, cell_size)};
  const std::vector<Mask> touched = TouchedTets(grid, surface);
  const std::vector<char> inside = InsideNodes(grid, surface);
  std::vector<LatticeTet> kept;
  for (int c = 0; c < grid.CellCount(); ++c) {
    for (int which = 0; which < kTetsPerCell; ++which) {
      const LatticeTet tet = TetOf(grid, grid.CellAt(c), which);
      // A tetrahedron that the surface does not touch is inside or outside as a whole, except across a hole, where it
      // is enough that part of it is inside.
      const auto is_inside = [&](int node) { return inside[node] != 0; };
      if (tet.exists && ((touched[c] >> which & 1) || std::any_of(tet.nodes, tet.nodes + 4, is_inside))) {
        kept.push_back(tet);
      }
    }
  }
  return Collect(grid, kept);
}

}  // namespace sinew
