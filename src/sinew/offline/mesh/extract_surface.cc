#include "sinew/offline/mesh/extract_surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"

namespace sinew {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3i;

constexpr int kBlock = 4;             // cubes along a block's edge
constexpr int kCorners = kBlock + 1;  // grid points along it
// Largest slope of the function with which no block that the surface crosses is skipped; that of a distance is 1.
constexpr double kSteepness = 1.6;

// Grid points at origin + spacing * index, for indices 0 to cubes (both included). Faces of the domain are grid planes.
struct Grid {
  Vector3d origin, spacing, end;
  Vector3i cubes;

  // The last planes are exactly at `end`, which rounding would miss.
  Vector3d Point(const Vector3i& index) const {
    const Vector3d inside = origin + spacing.cwiseProduct(index.cast<double>());
    return (index.array() == cubes.array()).select(end, inside);
  }
  uint64_t Key(const Vector3i& i) const {
    return (static_cast<uint64_t>(i.x()) * (cubes.y() + 1) + i.y()) * (cubes.z() + 1) + i.z();
  }
};

Grid MakeGrid(const Eigen::AlignedBox3d& bounds, double spacing, const Eigen::AlignedBox3d& domain) {
  Grid grid;
  for (int k = 0; k < 3; ++k) {
    const bool low = std::isfinite(domain.min()[k]) && domain.min()[k] > bounds.min()[k] - spacing;
    const bool high = std::isfinite(domain.max()[k]) && domain.max()[k] < bounds.max()[k] + spacing;
    double from = low ? domain.min()[k] : bounds.min()[k] - spacing;
    const double to = high ? domain.max()[k] : bounds.max()[k] + spacing;
    grid.cubes[k] = std::max(1, static_cast<int>(std::ceil((to - from) / spacing)));
    grid.spacing[k] = low && high ? (to - from) / grid.cubes[k] : spacing;
    if (high && !low) from = to - spacing * grid.cubes[k];
    grid.origin[k] = from;
    grid.end[k] = high ? to : from + spacing * grid.cubes[k];
  }
  return grid;
}

// The vertices of the six tetrahedra of a cube, as corners of the cube (bit 0: x, 1: y, 2: z), positively oriented.
constexpr std::array<std::array<int, 4>, 6> kTetrahedra = {
    {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}}};

// A vertex of the surface lies on the grid edge from a point to one with larger or equal coordinates: 7 directions.
struct BlockSurface {
  std::vector<uint64_t> keys;  // three per triangle; 8 * (grid point) + (direction)
  std::vector<Vector3d> positions;
};

class Marcher {
 public:
  Marcher(const ImplicitSurface& surface, const Grid& grid) : surface_(surface), grid_(grid) {}

  // Blocks of kBlock^3 cubes that the surface may cross, by halving; in a fixed order.
  void FindBlocks(const Vector3i& from, int size, std::vector<Vector3i>& blocks) const {
    if ((from.array() >= grid_.cubes.array()).any()) return;
    const Vector3d half = grid_.spacing * (0.5 * size);
    const double value = surface_.Evaluate(grid_.Point(from) + half, nullptr);
    if (std::abs(value) > kSteepness * half.norm()) return;
    if (size == kBlock) {
      blocks.push_back(from);
      return;
    }
    for (int child = 0; child < 8; ++child) {
      const Vector3i offset = Vector3i(child & 1, (child >> 1) & 1, child >> 2) * (size / 2);
      FindBlocks(from + offset, size / 2, blocks);
    }
  }

  // Eighths of the block that the surface cannot cross are left out; grid points are asked for when first needed.
  BlockSurface March(const Vector3i& from) const {
    Values values;
    values.fill(std::numeric_limits<double>::quiet_NaN());
    BlockSurface out;
    const Vector3d half = grid_.spacing * (kBlock / 4.0);
    for (int eighth = 0; eighth < 8; ++eighth) {
      const Vector3i low = Vector3i(eighth & 1, (eighth >> 1) & 1, eighth >> 2) * (kBlock / 2);
      const Vector3i high = (low.array() + kBlock / 2).matrix().cwiseMin(grid_.cubes - from);
      if ((low.array() >= high.array()).any()) continue;
      const double value = surface_.Evaluate(grid_.Point(from + low) + half, nullptr);
      if (std::abs(value) > kSteepness * half.norm()) continue;
      for (int x = low.x(); x < high.x(); ++x) {
        for (int y = low.y(); y < high.y(); ++y) {
          for (int z = low.z(); z < high.z(); ++z) Cube(from, Vector3i(x, y, z), values, out);
        }
      }
    }
    return out;
  }

 private:
  using Values = std::array<double, kCorners * kCorners * kCorners>;

  double ValueAt(const Vector3i& from, const Vector3i& at, Values& values) const {
    double& value = values[(at.x() * kCorners + at.y()) * kCorners + at.z()];
    if (std::isnan(value)) {
      value = surface_.Evaluate(grid_.Point(from + at), nullptr);
      if (value == 0) value = 1e-15;
    }
    return value;
  }

  void Cube(const Vector3i& from, const Vector3i& offset, Values& values, BlockSurface& out) const {
    double corner[8];
    for (int c = 0; c < 8; ++c) {
      corner[c] = ValueAt(from, offset + Vector3i(c & 1, (c >> 1) & 1, c >> 2), values);
    }
    const Vector3i at = from + offset;
    const auto negative = std::count_if(corner, corner + 8, [](double v) { return v < 0; });
    if (negative == 0 || negative == 8) return;
    for (const auto& tetrahedron : kTetrahedra) Tetrahedron(at, corner, tetrahedron, out);
  }

  void Tetrahedron(const Vector3i& at, const double* corner, const std::array<int, 4>& t, BlockSurface& out) const {
    int inside[4], outside[4];
    int ni = 0, no = 0;
    for (int k = 0; k < 4; ++k) (corner[t[k]] < 0 ? inside[ni++] : outside[no++]) = k;
    if (ni == 0 || no == 0) return;
    // An even permutation (inside, outside) of the corners keeps the orientation; odd ones are turned round.
    const auto emit = [&](int a, int b, int c, int d, int e, int f, bool turn) {
      Vertex(at, corner, t[a], t[b], out);
      if (turn) std::swap(c, e), std::swap(d, f);
      Vertex(at, corner, t[c], t[d], out);
      Vertex(at, corner, t[e], t[f], out);
    };
    if (ni == 1) {
      emit(inside[0], outside[0], inside[0], outside[1], inside[0], outside[2], inside[0] % 2 == 1);
    } else if (no == 1) {
      emit(outside[0], inside[0], outside[0], inside[1], outside[0], inside[2], outside[0] % 2 == 0);
    } else {
      const int a = inside[0], b = inside[1], c = outside[0], d = outside[1];
      const bool turn = (a == 0 && b == 2) || (a == 1 && b == 3);
      emit(a, c, a, d, b, d, turn);
      emit(a, c, b, d, b, c, turn);
    }
  }

  void Vertex(const Vector3i& at, const double* corner, int one, int other, BlockSurface& out) const {
    const int low = std::min(one, other), high = std::max(one, other);
    const auto offset = [](int c) { return Vector3i(c & 1, (c >> 1) & 1, c >> 2); };
    const Vector3i from = at + offset(low);
    // Away from the ends, so that no triangle is without an area.
    const double t = std::clamp(corner[low] / (corner[low] - corner[high]), 0.1, 0.9);
    const Vector3d a = grid_.Point(from), b = grid_.Point(at + offset(high));
    out.keys.push_back(8 * grid_.Key(from) + (high ^ low));
    out.positions.emplace_back(a + t * (b - a));
  }

  const ImplicitSurface& surface_;
  const Grid& grid_;
};

FineMesh Join(const std::vector<BlockSurface>& blocks) {
  FineMesh mesh;
  std::unordered_map<uint64_t, int> index;
  for (const BlockSurface& block : blocks) {
    for (size_t k = 0; k < block.keys.size(); ++k) {
      const auto [found, added] = index.try_emplace(block.keys[k], static_cast<int>(mesh.positions.size()));
      if (added) mesh.positions.push_back(block.positions[k]);
      if (k % 3 == 0) mesh.triangles.emplace_back();
      mesh.triangles.back()[static_cast<int>(k % 3)] = found->second;
    }
  }
  return mesh;
}

}  // namespace

TriMesh ToTriMesh(const FineMesh& mesh) {
  TriMesh out;
  out.positions.resize(static_cast<int>(mesh.positions.size()), 3);
  out.triangles.resize(static_cast<int>(mesh.triangles.size()), 3);
  for (int v = 0; v < out.vertex_count(); ++v) out.positions.row(v) = mesh.positions[v].cast<float>().transpose();
  for (int t = 0; t < out.triangle_count(); ++t) out.triangles.row(t) = mesh.triangles[t].transpose();
  return out;
}

FineMesh Mirror(const FineMesh& half) {
  FineMesh whole = half;
  std::vector<int> image(half.positions.size());
  for (size_t v = 0; v < half.positions.size(); ++v) {
    const Vector3d& p = half.positions[v];
    image[v] = p.x() == 0 ? static_cast<int>(v) : static_cast<int>(whole.positions.size());
    if (p.x() != 0) whole.positions.emplace_back(-p.x(), p.y(), p.z());
  }
  for (const Eigen::Vector3i& t : half.triangles) whole.triangles.emplace_back(image[t[0]], image[t[2]], image[t[1]]);
  return whole;
}

FineMesh ExtractSurface(const ImplicitSurface& surface, double spacing, const Eigen::AlignedBox3d& domain) {
  if (!(spacing > 0)) throw UsageError(fmt::format("the grid spacing is {}; it must be positive", spacing));
  const Grid grid = MakeGrid(surface.Bounds(), spacing, domain);
  const Marcher marcher(surface, grid);
  int size = kBlock;
  while (size < grid.cubes.maxCoeff()) size *= 2;
  std::vector<Vector3i> blocks;
  marcher.FindBlocks(Vector3i::Zero(), size, blocks);
  std::vector<BlockSurface> parts(blocks.size());
  ParallelFor(static_cast<int>(blocks.size()), 16, [&](int i) { parts[i] = marcher.March(blocks[i]); });
  return Join(parts);
}

}  // namespace sinew
