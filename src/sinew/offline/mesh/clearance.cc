#include "sinew/offline/mesh/clearance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <vector>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/adjacency.h"
#include "sinew/offline/mesh/box_tree.h"
#include "sinew/offline/mesh/closest_point.h"
#include "sinew/offline/mesh/measures.h"

namespace sinew {
namespace {

using Eigen::Vector3d;
constexpr double kFar = std::numeric_limits<double>::infinity();

Vector3d Position(const TriMesh& mesh, int v) { return mesh.positions.row(v).cast<double>().transpose(); }

// Lengths of the shortest paths along edges from one vertex, up to a bound. Reused for one vertex after the other.
class EdgeWays {
 public:
  EdgeWays(const TriMesh& mesh, const Csr& neighbours)
      : mesh_(mesh), neighbours_(neighbours), length_(mesh.vertex_count(), kFar) {}

  void Spread(int from, double bound) {
    for (const int v : touched_) length_[v] = kFar;
    touched_.clear();
    Reach(from, 0);
    while (!open_.empty()) {
      const auto [length, v] = open_.top();
      open_.pop();
      if (length > length_[v]) continue;
      for (const int w : neighbours_[v]) {
        const double through = length + (Position(mesh_, v) - Position(mesh_, w)).norm();
        if (through <= bound && through < length_[w]) Reach(w, through);
      }
    }
  }
  double operator[](int v) const { return length_[v]; }

 private:
  void Reach(int v, double length) {
    if (length_[v] == kFar) touched_.push_back(v);
    length_[v] = length;
    open_.emplace(length, v);
  }

  using Entry = std::pair<double, int>;
  const TriMesh& mesh_;
  const Csr& neighbours_;
  std::vector<double> length_;
  std::vector<int> touched_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open_;
};

class Search {
 public:
  Search(const TriMesh& mesh, double apart)
      : mesh_(mesh),
        apart_(apart),
        normals_(VertexNormals(mesh)),
        edges_(BuildEdges(mesh.triangles, mesh.vertex_count())),
        neighbours_(VertexVertices(edges_, mesh.vertex_count())),
        boxes_(TriangleBoxes(mesh)),
        bvh_(BuildBvh(boxes_)),
        triangle_normals_(mesh.triangle_count()) {
    ParallelFor(mesh.triangle_count(), 4096, [&](int t) {
      const auto corners = Corners(mesh, t);
      triangle_normals_[t] = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    });
  }

  double MeanEdge() const { return MeasureEdges(mesh_, edges_).mean; }

  // Finds the narrowest gap that is narrower than `width`.
  std::optional<Clearance> Narrowest(double width) const {
    return ParallelReduce(
        mesh_.vertex_count(), 512, std::optional<Clearance>(),
        [&](int begin, int end) {
          std::optional<Clearance> best;
          EdgeWays ways(mesh_, neighbours_);
          for (int v = begin; v < end; ++v) Improve(v, best ? best->distance : width, ways, best);
          return best;
        },
        [](std::optional<Clearance>& best, const std::optional<Clearance>& found) {
          if (found && (!best || found->distance < best->distance)) best = found;
        });
  }

 private:
  void Improve(int v, double width, EdgeWays& ways, std::optional<Clearance>& best) const {
    const std::vector<Clearance> candidates = Facing(v, width);
    if (candidates.empty()) return;
    ways.Spread(v, apart_ * width);
    for (const Clearance& candidate : candidates) {
      double way = kFar;
      for (int k = 0; k < 3; ++k) {
        const int corner = mesh_.triangles(candidate.triangle, k);
        way = std::min(way, ways[corner] + (Position(mesh_, corner) - candidate.point).norm());
      }
      if (way > apart_ * candidate.distance && (!best || candidate.distance < best->distance)) best = candidate;
    }
  }

  // Finds the triangles nearer than `width` that face a vertex and are faced by it.
  std::vector<Clearance> Facing(int v, double width) const {
    const Vector3d p = Position(mesh_, v);
    const Vector3d normal = normals_.row(v).cast<double>().transpose();
    const Eigen::Vector3f reach = Eigen::Vector3f::Constant(std::nextafter(static_cast<float>(width), HUGE_VALF));
    const Box around(p.cast<float>() - reach, p.cast<float>() + reach);
    std::vector<Clearance> found;
    Traverse(
        bvh_, [&](const Box& box) { return box.intersects(around); },
        [&](int t) {
          if (normal.dot(triangle_normals_[t]) >= 0 || !boxes_[t].intersects(around)) return;
          const Vector3d q = ClosestPointOnTriangle(p, Corners(mesh_, t)).point;
          const double distance = (p - q).norm();
          if (distance < width && (q - p).dot(normal) >= 0 && (p - q).dot(triangle_normals_[t]) >= 0) {
            found.push_back({distance, v, t, q});
          }
        });
    return found;
  }

  const TriMesh& mesh_;
  double apart_;
  Points normals_;
  EdgeTable edges_;
  Csr neighbours_;
  std::vector<Box> boxes_;
  Bvh bvh_;
  std::vector<Vector3d> triangle_normals_;  // of any length
};

}  // namespace

std::optional<Clearance> MinimumClearance(const TriMesh& welded, const ClearanceOptions& options) {
  if (welded.triangle_count() == 0) return std::nullopt;
  const double diagonal = BoundingBox(welded.positions).diagonal().cast<double>().norm();
  const Search search(welded, options.apart);
  const double limit = options.max_distance > 0 ? options.max_distance : std::min(6 * search.MeanEdge(), diagonal / 20);
  if (limit <= 0) return std::nullopt;
  // Narrow gaps are cheap to find: widen the search only while there is none.
  for (double width = limit / 64;; width *= 2) {
    std::optional<Clearance> found = search.Narrowest(std::min(width, limit));
    if (found || width >= limit) return found;
  }
}

}  // namespace sinew
