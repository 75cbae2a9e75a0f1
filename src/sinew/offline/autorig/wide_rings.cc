#include "sinew/offline/autorig/wide_rings.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sinew/offline/core/parallel.h"

namespace sinew::autorig {
namespace {

using Eigen::Vector3d;

constexpr int kMaxSteps = 400;      // triangles that a walk crosses at most, where slivers hold it up
constexpr int kEdgesPerTask = 256;  // edges whose walks one thread does at once

// A walk on the surface: a point of a triangle, entered through a half-edge, and a direction within its plane.
class Walk {
 public:
  Walk(const TriMesh& surface, const EdgeTable& edges, int half_edge, double along)
      : surface_(surface), edges_(edges), entry_(half_edge), point_((At(half_edge) + To(half_edge)) / 2) {
    Turn(along);
  }

  // Goes a distance and returns the edge of the last triangle whose middle is nearest.
  int Go(double distance) {
    for (int step = 0; step < kMaxSteps; ++step) {
      const auto [exit, length] = FindExit();
      if (exit < 0 || length >= distance) {
        if (exit >= 0) point_ += distance * direction_;
        return NearestEdge();
      }
      point_ += length * direction_;
      distance -= length;
      const int edge = edges_.edge_of[exit];
      const std::span<const int> sides = edges_.half_edges[edge];
      if (sides.size() != 2) return edge;
      const double along = direction_.dot((To(exit) - At(exit)).normalized());
      entry_ = sides[0] == exit ? sides[1] : sides[0];
      // Triangles of one orientation run the edge in opposite directions, others in the same.
      const bool same = Tail(surface_.triangles, entry_) == Tail(surface_.triangles, exit);
      Turn(same ? along : -along);
    }
    return NearestEdge();
  }

 private:
  Vector3d At(int half_edge) const { return Corner(Tail(surface_.triangles, half_edge)); }
  Vector3d To(int half_edge) const { return Corner(Head(surface_.triangles, half_edge)); }
  Vector3d Corner(int vertex) const { return surface_.positions.row(vertex).cast<double>(); }

  // Points into the triangle, with this cosine between the direction and the half-edge of the entry.
  void Turn(double along) {
    const Vector3d edge = (To(entry_) - At(entry_)).normalized();
    const Vector3d inward = Corner(Opposite(surface_.triangles, entry_)) - At(entry_);
    const Vector3d across = (inward - edge * edge.dot(inward)).normalized();
    direction_ = along * edge + std::sqrt(std::max(0.0, 1 - along * along)) * across;
  }

  // The half-edge through which the walk leaves the triangle, and how far that is; -1 in a triangle without area.
  std::pair<int, double> FindExit() const {
    int exit = -1;
    double nearest = std::numeric_limits<double>::infinity();
    for (int half_edge = NextAround(entry_); half_edge != entry_; half_edge = NextAround(half_edge)) {
      const Vector3d edge = To(half_edge) - At(half_edge), offset = At(half_edge) - point_;
      const Vector3d across = offset - edge * (edge.dot(offset) / edge.squaredNorm());
      const double speed = direction_.dot(across) / across.squaredNorm();  // 1 / length; above 0 towards the edge
      if (speed > 0 && 1 / speed < nearest) {
        nearest = 1 / speed;
        exit = half_edge;
      }
    }
    return {exit, nearest};
  }

  int NearestEdge() const {
    int nearest = entry_;
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0, half_edge = entry_; k < 3; ++k, half_edge = NextAround(half_edge)) {
      const double distance = ((At(half_edge) + To(half_edge)) / 2 - point_).squaredNorm();
      if (distance < least) {
        least = distance;
        nearest = half_edge;
      }
    }
    return edges_.edge_of[nearest];
  }

  const TriMesh& surface_;
  const EdgeTable& edges_;
  int entry_;
  Vector3d point_, direction_ = Vector3d::Zero();
};

}  // namespace

layers::EdgeRings WideRings(const TriMesh& surface, const EdgeTable& edges, double distance) {
  std::vector<std::array<int, 4>> rings(edges.edge_count(), {-1, -1, -1, -1});
  ParallelFor(edges.edge_count(), kEdgesPerTask, [&](int e) {
    const std::span<const int> sides = edges.half_edges[e];
    for (size_t side = 0; side < sides.size() && side < 2; ++side) {
      // a and c follow the edge, b and d lead back to it.
      rings[e][2 * side] = Walk(surface, edges, sides[side], std::sqrt(0.5)).Go(distance);
      rings[e][2 * side + 1] = Walk(surface, edges, sides[side], -std::sqrt(0.5)).Go(distance);
    }
  });
  return layers::MakeEdgeRings(std::move(rings));
}

}  // namespace sinew::autorig
