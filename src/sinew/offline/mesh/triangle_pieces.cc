#include "sinew/offline/mesh/triangle_pieces.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <queue>
#include <utility>

#include "sinew/offline/mesh/measures.h"

namespace sinew {
namespace {

using Eigen::Vector3d;
using Corners3d = std::array<Vector3d, 3>;
using Box3d = Eigen::AlignedBox3d;

// Mean number of boxes around a point from which on a mesh is crowded. Bodies are below 3.
constexpr double kCrowded = 16;
// Pieces per triangle, and the number of pieces beyond which triangles stay whole: a bound on memory.
constexpr size_t kPieces = 16, kMaxPieces = 1'000'000;
// Smallest area of a triangle, relative to the square of its longest edge, from which on its plane is used.
constexpr double kFlat = 1e-6;

Box3d BoxOf(const Corners3d& corners) {
  Box3d box;
  for (const Vector3d& corner : corners) box.extend(corner);
  return box;
}

int LongestEdge(const Corners3d& t) {
  int longest = 0;
  for (int k = 1; k < 3; ++k) {
    if ((t[(k + 1) % 3] - t[k]).squaredNorm() > (t[(longest + 1) % 3] - t[longest]).squaredNorm()) longest = k;
  }
  return longest;
}

// Cuts through the middle of the longest edge.
std::pair<Corners3d, Corners3d> Halves(const Corners3d& t) {
  const int a = LongestEdge(t), b = (a + 1) % 3, c = (a + 2) % 3;
  const Vector3d middle = (t[a] + t[b]) / 2;
  return {{t[a], middle, t[c]}, {middle, t[b], t[c]}};
}

TrianglePieces::Planes PlanesOf(const Corners3d& t) {
  const int a = LongestEdge(t);
  const Vector3d edge = t[(a + 1) % 3] - t[a], normal = edge.cross(t[(a + 2) % 3] - t[a]);
  if (!(normal.norm() > kFlat * edge.squaredNorm())) return {};
  TrianglePieces::Planes planes;
  planes.normal = normal.normalized();
  planes.offset = planes.normal.dot(t[a]);
  for (int k = 0; k < 3; ++k) {
    const Vector3d out = (t[(k + 1) % 3] - t[k]).cross(planes.normal).normalized();
    planes.edge_normals.row(k) = out.transpose();
    planes.edge_offsets[k] = out.dot(t[k]);
  }
  return planes;
}

struct Piece {
  double size;  // of its box
  int triangle;
  Corners3d corners;

  bool operator<(const Piece& other) const {  // the queue gives the largest first
    return size != other.size ? size < other.size : triangle > other.triangle;
  }
};

// Returns per triangle whether an earlier one has the same corners in the same order.
std::vector<bool> FindCopies(const TriMesh& mesh) {
  using Numbers = std::array<float, 9>;
  std::vector<std::pair<Numbers, int>> order(mesh.triangle_count());
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    for (int k = 0; k < 9; ++k) order[t].first[k] = mesh.positions(mesh.triangles(t, k / 3), k % 3);
    order[t].second = t;
  }
  std::sort(order.begin(), order.end());
  std::vector<bool> copies(mesh.triangle_count(), false);
  for (size_t i = 1; i < order.size(); ++i) copies[order[i].second] = order[i].first == order[i - 1].first;
  return copies;
}

// Half the area of the box's sides: how likely a line through it is.
double SizeOf(const Corners3d& corners) {
  const Vector3d sides = BoxOf(corners).sizes();
  return sides.x() * sides.y() + sides.y() * sides.z() + sides.z() * sides.x();
}

}  // namespace

bool IsCrowded(const TriMesh& mesh) {
  if (mesh.triangle_count() <= kCrowded) return false;
  const Vector3d whole = BoundingBox(mesh.positions).sizes().cast<double>();
  // A little thicker, so that flat meshes have a volume.
  const Vector3d thicker = Vector3d::Constant(1e-3 * whole.maxCoeff());
  double sum = 0;
  for (int t = 0; t < mesh.triangle_count(); ++t) sum += (BoxOf(Corners(mesh, t)).sizes() + thicker).prod();
  return sum > kCrowded * (whole + thicker).prod();
}

TrianglePieces CutIntoPieces(const TriMesh& mesh) {
  TrianglePieces pieces;
  const std::vector<bool> copies = FindCopies(mesh);
  std::vector<Piece> whole;
  double largest = 0;
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    const Corners3d corners = Corners(mesh, t);
    pieces.planes.push_back(PlanesOf(corners));
    if (!copies[t]) whole.push_back({SizeOf(corners), t, corners});
    for (const Vector3d& corner : corners) largest = std::max(largest, corner.cwiseAbs().maxCoeff());
  }
  const size_t count = std::max(whole.size(), std::min(kPieces * whole.size(), kMaxPieces));
  std::priority_queue<Piece> queue({}, std::move(whole));
  while (queue.size() < count) {
    const Piece piece = queue.top();
    queue.pop();
    const auto [one, other] = Halves(piece.corners);
    queue.push({SizeOf(one), piece.triangle, one});
    queue.push({SizeOf(other), piece.triangle, other});
  }
  // Boxes are a little larger, since middles and single precision are rounded.
  const Vector3d rounding = Vector3d::Constant(1e-6 * largest);
  for (; !queue.empty(); queue.pop()) {
    const Box3d box = BoxOf(queue.top().corners);
    pieces.boxes.emplace_back(Vector3d(box.min() - rounding).cast<float>(),
                              Vector3d(box.max() + rounding).cast<float>());
    pieces.triangle_of.push_back(queue.top().triangle);
  }
  return pieces;
}

}  // namespace sinew
