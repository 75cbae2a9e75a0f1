#include "sinew/offline/elasticity/plane_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>

#include "sinew/offline/core/error.h"

namespace sinew::elasticity {
namespace {

using std::numbers::pi;

// Closed curve of nodes, counter-clockwise. `at` says where each node is around the capsule, in [-0.5, 3.5) and
// increasing: [0, 1) is the lower side, [1, 2) the right end, [2, 3) the upper side, and the rest the left end.
struct Ring {
  std::vector<int> nodes;
  std::vector<double> at;
};

struct CapsuleShape {
  double straight;  // length of the axis, without the ends

  // Returns the point at distance r from the axis.
  Eigen::RowVector2d Point(double at, double r) const {
    const int side = static_cast<int>(std::floor(at)) & 3;
    const double share = at - std::floor(at), half = straight / 2;
    if (side == 0) return {straight * share - half, -r};
    if (side == 2) return {half - straight * share, r};
    const double angle = pi * (share - 0.5);
    const double sign = side == 1 ? 1 : -1;
    return {sign * (half + r * std::cos(angle)), sign * r * std::sin(angle)};
  }

  // Returns where the point is that is `along` from the start of the lower side on the curve at distance r.
  double At(double along, double r) const {
    const double arc = pi * r;
    for (int side = 0; side < 4; ++side) {
      const double length = side % 2 == 0 ? straight : arc;
      if (along < length) return side + along / length;
      along -= length;
    }
    return 0;
  }
};

// The innermost ring runs along the axis and back.
Ring AxisRing(const CapsuleShape& shape, double spacing, std::vector<Eigen::RowVector2d>& points) {
  const int steps = std::max(2, static_cast<int>(std::lround(shape.straight / spacing)));
  for (int i = 0; i <= steps; ++i) points.push_back(shape.Point(static_cast<double>(i) / (steps + 1e-9), 0));
  Ring ring;
  const auto add = [&](int node, double at) {
    ring.nodes.push_back(node);
    ring.at.push_back(at);
  };
  add(0, -0.5);
  for (int i = 1; i < steps; ++i) add(i, static_cast<double>(i) / steps);
  add(steps, 1.5);
  for (int i = steps - 1; i > 0; --i) add(i, 3 - static_cast<double>(i) / steps);
  return ring;
}

Ring OffsetRing(const CapsuleShape& shape, double r, double spacing, bool shifted,
                std::vector<Eigen::RowVector2d>& points) {
  const double perimeter = 2 * shape.straight + 2 * pi * r;
  const int count = std::max(6, static_cast<int>(std::lround(perimeter / spacing)));
  Ring ring;
  for (int i = 0; i < count; ++i) {
    ring.nodes.push_back(static_cast<int>(points.size()));
    ring.at.push_back(shape.At((i + (shifted ? 0.5 : 0)) * perimeter / count, r));
    points.push_back(shape.Point(ring.at.back(), r));
  }
  // Rings begin at -0.5, half-way around the left end.
  for (double& at : ring.at) at -= at >= 3.5 ? 4 : 0;
  const auto first = std::min_element(ring.at.begin(), ring.at.end()) - ring.at.begin();
  std::rotate(ring.at.begin(), ring.at.begin() + first, ring.at.end());
  std::rotate(ring.nodes.begin(), ring.nodes.begin() + first, ring.nodes.end());
  return ring;
}

// Fills the strip between two rings with triangles, always going on along the ring that is behind.
void Zip(const Ring& inner, const Ring& outer, std::vector<Eigen::RowVector3i>& triangles) {
  const size_t inner_count = inner.nodes.size(), outer_count = outer.nodes.size();
  const auto next_at = [](const Ring& ring, size_t i) {
    return i + 1 < ring.at.size() ? ring.at[i + 1] : ring.at[i + 1 - ring.at.size()] + 4;
  };
  size_t i = 0, j = 0;
  while (i < inner_count || j < outer_count) {
    const int a = inner.nodes[i % inner_count], b = outer.nodes[j % outer_count];
    const bool outwards = i == inner_count || (j < outer_count && next_at(outer, j) <= next_at(inner, i));
    if (outwards) {
      triangles.emplace_back(a, b, outer.nodes[++j % outer_count]);
    } else {
      triangles.emplace_back(a, b, inner.nodes[++i % inner_count]);
    }
  }
}

// Triangles of a grid of nodes that are numbered row by row, counter-clockwise if a step along a row and a step to the
// next row turn left. closed: the last column is followed by the first.
Triangles GridTriangles(int columns, int rows, bool closed) {
  const int across = closed ? columns : columns - 1;
  Triangles triangles(2 * across * (rows - 1), 3);
  int t = 0;
  for (int r = 0; r + 1 < rows; ++r) {
    for (int c = 0; c < across; ++c) {
      const int a = r * columns + c, b = r * columns + (c + 1) % columns, d = a + columns, e = b + columns;
      const bool falling = (r + c) % 2 == 1;
      triangles.row(t++) << a, b, (falling ? d : e);
      triangles.row(t++) << (falling ? b : a), e, d;
    }
  }
  return triangles;
}

}  // namespace

PlaneMesh MakePlaneBlock(double width, double height, int triangles) {
  if (!(width > 0) || !(height > 0) || !std::isfinite(width * height) || triangles < 50) {
    throw UsageError(fmt::format("a block of {} by {} and {} triangles; give lengths above 0 and at least 50 triangles",
                                 width, height, triangles));
  }
  const double spacing = std::sqrt(2 * width * height / triangles);
  const int columns = std::max(2, static_cast<int>(std::lround(width / spacing)) + 1);
  const int rows = std::max(2, static_cast<int>(std::lround(height / spacing)) + 1);
  PlaneMesh mesh{.positions = PlaneNodes(columns * rows, 2), .triangles = GridTriangles(columns, rows, false)};
  for (int n = 0; n < columns * rows; ++n) {
    mesh.positions.row(n) << width * (static_cast<double>(n % columns) / (columns - 1) - 0.5),
        height * (static_cast<double>(n / columns) / (rows - 1) - 0.5);
  }
  return mesh;
}

PlaneMesh MakePlaneRing(double outer, double inner, int triangles) {
  if (!(inner > 0) || !(outer > inner) || !std::isfinite(outer) || triangles < 50) {
    throw UsageError(
        fmt::format("a ring of radii {} and {} and {} triangles; give an outer radius above the inner one, "
                    "both above 0, and at least 50 triangles",
                    outer, inner, triangles));
  }
  const double spacing = std::sqrt(2 * pi * (outer * outer - inner * inner) / triangles);
  // An even number, so that the diagonals alternate all around.
  const int columns = 2 * std::max(4, static_cast<int>(std::lround(pi * (outer + inner) / spacing / 2)));
  const int rows = std::max(2, static_cast<int>(std::lround((outer - inner) / spacing)) + 1);
  PlaneMesh mesh{.positions = PlaneNodes(columns * rows, 2), .triangles = GridTriangles(columns, rows, true)};
  for (int n = 0; n < columns * rows; ++n) {
    const double angle = -2 * pi * (n % columns) / columns;
    const double r = inner + (outer - inner) * (n / columns) / (rows - 1);
    mesh.positions.row(n) << r * std::cos(angle), r * std::sin(angle);
  }
  return mesh;
}

std::vector<std::vector<int>> BoundaryLoops(const PlaneMesh& mesh) {
  std::set<std::pair<int, int>> edges;
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    for (int k = 0; k < 3; ++k) edges.emplace(mesh.triangles(t, k), mesh.triangles(t, (k + 1) % 3));
  }
  std::vector<int> next(mesh.node_count(), -1);
  for (const auto& [from, to] : edges) {
    if (edges.contains({to, from})) continue;
    if (next[from] >= 0) throw UsageError(fmt::format("the boundary touches itself at node {}; split that node", from));
    next[from] = to;
  }
  std::vector<std::vector<int>> loops;
  for (int first = 0; first < mesh.node_count(); ++first) {
    if (next[first] < 0) continue;
    std::vector<int>& loop = loops.emplace_back();
    for (int node = first; node >= 0;) {
      loop.push_back(node);
      node = std::exchange(next[node], -1);
      if (node == first) break;
    }
  }
  return loops;
}

std::vector<int> BoundaryLoop(const PlaneMesh& mesh) {
  std::vector<std::vector<int>> loops = BoundaryLoops(mesh);
  if (loops.size() != 1) {
    throw UsageError("the boundary of the mesh is not one closed loop; give one piece without holes");
  }
  return std::move(loops.front());
}

PlaneMesh MakePlaneCapsule(double length, double width, int triangles) {
  if (!(width > 0) || !(length > width) || !std::isfinite(length) || triangles < 50) {
    throw UsageError(
        fmt::format("a capsule of {} by {} and {} triangles; give a length above the width, and at least "
                    "50 triangles",
                    length, width, triangles));
  }
  const CapsuleShape shape{.straight = length - width};
  const double radius = width / 2, area = shape.straight * width + pi * radius * radius;
  // Edge of an equilateral triangle of the mean area.
  const double spacing = std::sqrt(area / triangles * 4 / std::sqrt(3.0));
  const int rings = std::max(2, static_cast<int>(std::lround(radius / (spacing * std::sqrt(3.0) / 2))));
  std::vector<Eigen::RowVector2d> points;
  std::vector<Eigen::RowVector3i> corners;
  Ring inner = AxisRing(shape, spacing, points);
  for (int k = 1; k <= rings; ++k) {
    Ring outer = OffsetRing(shape, radius * k / rings, spacing, k % 2 == 1, points);
    Zip(inner, outer, corners);
    inner = std::move(outer);
  }
  PlaneMesh mesh;
  mesh.positions.resize(static_cast<Eigen::Index>(points.size()), 2);
  for (size_t i = 0; i < points.size(); ++i) mesh.positions.row(static_cast<Eigen::Index>(i)) = points[i];
  mesh.triangles.resize(static_cast<Eigen::Index>(corners.size()), 3);
  for (size_t i = 0; i < corners.size(); ++i) mesh.triangles.row(static_cast<Eigen::Index>(i)) = corners[i];
  return mesh;
}

}  // namespace sinew::elasticity
