#include "sinew/offline/mesh/voxel_distance.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/nearest_point.h"
#include "sinew/offline/mesh/winding_number.h"

namespace sinew {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3i;

constexpr double kNever = std::numeric_limits<double>::infinity();
// Cubes up to so many cell sizes from the segment have their exact distance: marching is least exact near its start.
constexpr double kExact = 3;
// Cells of a hollow that are asked first whether they are inside the surface.
constexpr int kAskedFirst = 64;

// Returns the cells that are connected with one through faces and are not solid; marks them as seen.
std::vector<int> HollowAround(const CubeGrid& grid, int start, const std::vector<char>& solid,
                              std::vector<char>& seen) {
  std::vector<int> hollow = {start};
  seen[start] = 1;
  for (size_t k = 0; k < hollow.size(); ++k) {
    for (int side = 0; side < 6; ++side) {
      const Vector3i next = grid.CellAt(hollow[k]) + (side % 2 ? 1 : -1) * Vector3i::Unit(side / 2);
      if (!grid.Has(next)) continue;
      const int cell = grid.Cell(next);
      if (solid[cell] || seen[cell]) continue;
      seen[cell] = 1;
      hollow.push_back(cell);
    }
  }
  return hollow;
}

// Makes cells inside the surface solid. solid: the cells that it touches. What they enclose is all inside or all
// outside, unless the surface is open: a few cells tell, and only if they disagree every cell is asked.
void FillInside(const CubeGrid& grid, const TriMesh& surface, std::vector<char>& solid) {
  const WindingNumber winding(surface);
  const std::vector<char> touched = solid;
  std::vector<char> seen(solid.size(), 0);
  for (int start = 0; start < grid.CellCount(); ++start) {
    if (touched[start] || seen[start]) continue;
    const std::vector<int> hollow = HollowAround(grid, start, touched, seen);
    const auto ask = [&](size_t k) {
      return solid[hollow[k]] = winding.Inside(grid.Centre(grid.CellAt(hollow[k])).cast<float>());
    };
    size_t inside = 0;
    const size_t asked = std::min<size_t>(hollow.size(), kAskedFirst);
    for (size_t k = 0; k < asked; ++k) inside += ask(k * hollow.size() / asked) != 0;
    if (inside == 0) continue;
    if (inside == asked) {
      for (const int cell : hollow) solid[cell] = 1;
    } else {
      ParallelFor(static_cast<int>(hollow.size()), 512, [&](int k) { ask(k); });
    }
  }
}

}  // namespace

struct VoxelDistance::Segment {
  Vector3d a, b;
  double To(const Vector3d& x) const {
    const Vector3d ab = b - a;
    const double square = ab.squaredNorm();
    const double along = square > 0 ? std::clamp((x - a).dot(ab) / square, 0.0, 1.0) : 0;
    return (x - a - along * ab).norm();
  }
};

VoxelDistance::VoxelDistance(const TriMesh& surface, double cell_size)
    : positions_(surface.positions), grid_(MakeCubeGrid(surface, cell_size)) {
  std::vector<char> solid = TouchedCubes(grid_, surface);
  FillInside(grid_, surface, solid);
  number_.assign(grid_.CellCount(), -1);
  for (int cell = 0; cell < grid_.CellCount(); ++cell) {
    if (!solid[cell]) continue;
    number_[cell] = cube_count();
    cubes_.push_back(cell);
  }
  touching_.resize(cubes_.size());
  for (int cube = 0; cube < cube_count(); ++cube) {
    for (int side = 0; side < 6; ++side) {
      const Vector3i next = grid_.CellAt(cubes_[cube]) + (side % 2 ? 1 : -1) * Vector3i::Unit(side / 2);
      touching_[cube][side] = grid_.Has(next) ? number_[grid_.Cell(next)] : -1;
    }
  }
}

// Gives the cubes around the segment their distances. They are found from cube to cube, so that what is near through
// the air alone, as another finger, is left out.
void VoxelDistance::Start(const Segment& segment, std::vector<double>& distance) const {
  std::vector<int> waiting;
  const auto reach = [&](int cube) {
    if (cube < 0 || distance[cube] < kNever) return;
    distance[cube] = segment.To(grid_.Centre(grid_.CellAt(cubes_[cube])));
    waiting.push_back(cube);
  };
  const int steps = static_cast<int>(std::ceil(2 * (segment.b - segment.a).norm() / grid_.h));
  for (int k = 0; k <= steps; ++k) {
    const Vector3d at = segment.a + (segment.b - segment.a) * (steps > 0 ? static_cast<double>(k) / steps : 0);
    const Vector3i cell = CubeOf(grid_, at);
    if ((grid_.Centre(cell) - at).cwiseAbs().maxCoeff() <= grid_.h) reach(number_[grid_.Cell(cell)]);
  }
  if (waiting.empty() && cube_count() > 0) {
    std::vector<double> straight(cubes_.size());
    for (int cube = 0; cube < cube_count(); ++cube) {
      straight[cube] = segment.To(grid_.Centre(grid_.CellAt(cubes_[cube])));
    }
    reach(static_cast<int>(std::min_element(straight.begin(), straight.end()) - straight.begin()));
  }
  for (size_t k = 0; k < waiting.size(); ++k) {
    for (const int next : touching_[waiting[k]]) {
      if (next < 0) continue;
      if (segment.To(grid_.Centre(grid_.CellAt(cubes_[next]))) <= kExact * grid_.h) reach(next);
    }
  }
}

// Solution of |grad T| = 1 at a cube from the smaller neighbour along each axis: the largest root of
// sum (T - T_i)^2 = h^2 over those that are smaller than it.
double VoxelDistance::FromNeighbours(int cube, const std::vector<double>& distance) const {
  std::array<double, 3> least;
  for (int axis = 0; axis < 3; ++axis) {
    least[axis] = kNever;
    for (const int side : {2 * axis, 2 * axis + 1}) {
      const int next = touching_[cube][side];
      if (next >= 0) least[axis] = std::min(least[axis], distance[next]);
    }
  }
  std::sort(least.begin(), least.end());
  double sum = 0, squares = 0, found = kNever;
  for (int n = 1; n <= 3 && least[n - 1] < found; ++n) {
    sum += least[n - 1];
    squares += least[n - 1] * least[n - 1];
    const double root = sum * sum - n * (squares - grid_.h * grid_.h);
    if (root < 0) break;
    found = (sum + std::sqrt(root)) / n;
  }
  return found;
}

void VoxelDistance::March(std::vector<double>& distance) const {
  using Entry = std::pair<double, int>;  // equal distances by number
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> waiting;
  for (int cube = 0; cube < cube_count(); ++cube) {
    if (distance[cube] < kNever) waiting.push({distance[cube], cube});
  }
  while (!waiting.empty()) {
    const auto [from, cube] = waiting.top();
    waiting.pop();
    if (from > distance[cube]) continue;
    for (const int next : touching_[cube]) {
      if (next < 0 || distance[next] <= from) continue;
      const double further = FromNeighbours(next, distance);
      if (further >= distance[next]) continue;
      distance[next] = further;
      waiting.push({further, next});
    }
  }
}

// Interpolates between the centres of the cubes around a vertex, of which its own is always there.
float VoxelDistance::AtVertex(int v, const std::vector<double>& distance) const {
  const Vector3d x = positions_.row(v).transpose().cast<double>();
  const Vector3i first = CubeOf(grid_, x - Vector3d::Constant(0.5 * grid_.h));
  const Vector3d along = (x - grid_.Centre(first)) / grid_.h;
  double sum = 0, weights = 0;
  for (int k = 0; k < 8; ++k) {
    const Vector3i offset(k & 1, k >> 1 & 1, k >> 2);
    const Vector3i cell = first + offset;
    const int cube = grid_.Has(cell) ? number_[grid_.Cell(cell)] : -1;
    if (cube < 0 || distance[cube] == kNever) continue;
    double weight = 1;
    for (int axis = 0; axis < 3; ++axis) weight *= offset[axis] ? along[axis] : 1 - along[axis];
    sum += weight * distance[cube];
    weights += weight;
  }
  return weights > 0 ? static_cast<float>(sum / weights) : static_cast<float>(kNever);
}

void VoxelDistance::FillIslands(const Segment& segment, std::vector<float>& found) const {
  std::vector<int> reached;
  std::vector<Vector3d> points;
  for (int v = 0; v < static_cast<int>(found.size()); ++v) {
    if (!std::isfinite(found[v])) continue;
    reached.push_back(v);
    points.emplace_back(positions_.row(v).transpose().cast<double>());
  }
  if (reached.size() == found.size()) return;
  const auto at = [&](int v) { return Vector3d(positions_.row(v).transpose().cast<double>()); };
  if (reached.empty()) {
    for (size_t v = 0; v < found.size(); ++v) found[v] = static_cast<float>(segment.To(at(static_cast<int>(v))));
    return;
  }
  const NearestPoint tree(std::move(points));
  std::vector<float> filled = found;
  ParallelFor(static_cast<int>(found.size()), 256, [&](int v) {
    if (std::isfinite(found[v])) return;
    const NearestPoint::Found near = tree.Find(at(v));
    filled[v] = found[reached[near.index]] + static_cast<float>(near.distance);
  });
  found = std::move(filled);
}

std::vector<float> VoxelDistance::From(const Vector3d& a, const Vector3d& b) const {
  const Segment segment{a, b};
  std::vector<double> distance(cubes_.size(), kNever);
  Start(segment, distance);
  March(distance);
  std::vector<float> found(positions_.rows());
  for (size_t v = 0; v < found.size(); ++v) found[v] = AtVertex(static_cast<int>(v), distance);
  FillIslands(segment, found);
  return found;
}

}  // namespace sinew
