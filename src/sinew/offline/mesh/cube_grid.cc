#include "sinew/offline/mesh/cube_grid.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/measures.h"

namespace sinew {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3i;

constexpr double kMaxCells = 1 << 27;
constexpr int kGrain = 256;  // triangles per task

using Triangle = std::array<Vector3d, 3>;

std::array<Vector3d, 8> CubeCorners(const CubeGrid& grid, const Vector3i& cell) {
  std::array<Vector3d, 8> corners;
  for (int k = 0; k < 8; ++k)
    corners[k] = grid.origin + grid.h * (cell + Vector3i(k & 1, k >> 1 & 1, k >> 2)).cast<double>();
  return corners;
}

// Two convex bodies are apart only if a face normal of one, or the cross product of two of their edges, separates them.
bool Overlap(const std::array<Vector3d, 8>& cube, const Triangle& triangle, double margin) {
  const auto apart = [&](const Vector3d& axis) { return Separates(axis, cube, triangle, margin); };
  const Vector3d edges[3] = {triangle[1] - triangle[0], triangle[2] - triangle[1], triangle[0] - triangle[2]};
  if (apart(edges[0].cross(edges[1]))) return false;
  for (int k = 0; k < 3; ++k) {
    if (apart(Vector3d::Unit(k))) return false;
    for (const Vector3d& edge : edges) {
      if (apart(Vector3d::Unit(k).cross(edge))) return false;
    }
  }
  return true;
}

void AppendTouched(const CubeGrid& grid, const Triangle& triangle, std::vector<int>& touched) {
  Eigen::AlignedBox3d box;
  for (const Vector3d& corner : triangle) box.extend(corner);
  const Vector3d margin = Vector3d::Constant(kCubeMargin * grid.h);
  const Vector3i first = CubeOf(grid, box.min() - margin), last = CubeOf(grid, box.max() + margin);
  const Vector3i count = last - first + Vector3i::Ones();
  for (int i = 0; i < count.prod(); ++i) {
    const Vector3i cell = first + Vector3i(i % count[0], i / count[0] % count[1], i / count[0] / count[1]);
    if (Overlap(CubeCorners(grid, cell), triangle, kCubeMargin * grid.h)) touched.push_back(grid.Cell(cell));
  }
}

}  // namespace

CubeGrid MakeCubeGrid(const TriMesh& surface, double cell_size) {
  if (!(cell_size > 0)) throw UsageError(fmt::format("the cell size is {}; give a positive length", cell_size));
  if (!surface.positions.allFinite()) throw UsageError("a vertex of the surface is not finite; repair the mesh first");
  const Eigen::AlignedBox3d box = BoundingBox(surface.positions).cast<double>();
  const Eigen::Array3d cells = (box.sizes() / cell_size).array().ceil() + 2;
  if (!(cells.prod() <= kMaxCells)) {
    throw UsageError(
        fmt::format("a cell size of {} needs {:.3g} cells around this surface, more than {:.3g}; "
                    "give a larger one",
                    cell_size, cells.prod(), kMaxCells));
  }
  return {
      .origin = box.center() - 0.5 * cell_size * cells.matrix(), .h = cell_size, .cells = cells.cast<int>().matrix()};
}

bool Separates(const Vector3d& axis, std::span<const Vector3d> a, std::span<const Vector3d> b, double margin) {
  const auto range = [&](std::span<const Vector3d> points) {
    double low = axis.dot(points[0]), high = low;
    for (const Vector3d& p : points.subspan(1)) {
      low = std::min(low, axis.dot(p));
      high = std::max(high, axis.dot(p));
    }
    return std::pair(low, high);
  };
  const auto [a_low, a_high] = range(a);
  const auto [b_low, b_high] = range(b);
  const double gap = margin * axis.norm();
  return a_high + gap < b_low || b_high + gap < a_low;
}

Vector3i CubeOf(const CubeGrid& grid, const Vector3d& point) {
  const Eigen::Array3d at = ((point - grid.origin) / grid.h).array().floor();
  return at.max(0).min(grid.cells.array().cast<double>() - 1).cast<int>().matrix();
}

std::vector<char> TouchedCubes(const CubeGrid& grid, const TriMesh& surface) {
  const int triangles = surface.triangle_count(), items = triangles + surface.vertex_count();
  std::vector<std::vector<int>> found((items + kGrain - 1) / kGrain);
  ParallelFor(items, kGrain, [&](int i) {
    Triangle triangle;
    if (i < triangles) {
      triangle = Corners(surface, i);
    } else {
      triangle.fill(surface.positions.row(i - triangles).cast<double>().transpose());
    }
    AppendTouched(grid, triangle, found[i / kGrain]);
  });
  std::vector<char> touched(grid.CellCount(), 0);
  for (const std::vector<int>& chunk : found) {
    for (const int cell : chunk) touched[cell] = 1;
  }
  return touched;
}

}  // namespace sinew
