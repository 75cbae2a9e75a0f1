#include "sinew/offline/remesh/split_long_edges.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <utility>

namespace sinew {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3i;

// One round: every edge that is too long gets a vertex in its middle.
class Round {
 public:
  Round(SplitMesh& split, double longest) : split_(split), longest_(longest) {}

  // Returns whether an edge was split.
  bool Run() {
    std::vector<Vector3i> triangles;
    std::swap(triangles, split_.mesh.triangles);
    const std::vector<int> sources = std::move(split_.sources);
    const std::vector<Eigen::Matrix3d> corners = std::move(split_.corners);
    split_.sources.clear();
    split_.corners.clear();
    for (size_t t = 0; t < triangles.size(); ++t) Cut(triangles[t], sources[t], corners[t]);
    return !middles_.empty();
  }

 private:
  // A corner of a triangle or the middle of one of its edges.
  struct Corner {
    int vertex;
    Vector3d place;
  };

  double Length(int a, int b) const { return (split_.mesh.positions[a] - split_.mesh.positions[b]).norm(); }

  // Vertex in the middle of an edge; -1: the edge is short enough.
  int MiddleOf(int a, int b) {
    if (!(Length(a, b) > longest_)) return -1;
    const auto [entry, added] = middles_.try_emplace(std::minmax(a, b), static_cast<int>(split_.mesh.positions.size()));
    if (added) {
      const Vector3d middle = (split_.mesh.positions[a] + split_.mesh.positions[b]) / 2;
      split_.mesh.positions.push_back(middle);
    }
    return entry->second;
  }

  void Add(const Corner& a, const Corner& b, const Corner& c, int source) {
    split_.mesh.triangles.emplace_back(a.vertex, b.vertex, c.vertex);
    split_.sources.push_back(source);
    split_.corners.emplace_back();
    split_.corners.back() << a.place, b.place, c.place;
  }

  void Cut(const Vector3i& triangle, int source, const Eigen::Matrix3d& places) {
    std::array<Corner, 3> corner, middle;
    int long_edges = 0;
    for (int k = 0; k < 3; ++k) corner[k] = {triangle[k], places.col(k)};
    for (int k = 0; k < 3; ++k) {
      const Corner& next = corner[(k + 1) % 3];
      middle[k] = {MiddleOf(corner[k].vertex, next.vertex), (corner[k].place + next.place) / 2};
      long_edges += middle[k].vertex >= 0 ? 1 : 0;
    }
    if (long_edges == 0) return Add(corner[0], corner[1], corner[2], source);
    if (long_edges == 3) {
      for (int k = 0; k < 3; ++k) Add(corner[k], middle[k], middle[(k + 2) % 3], source);
      return Add(middle[0], middle[1], middle[2], source);
    }
    // From here on edge k is long, and of two long edges the first.
    int k = 0;
    while (middle[k].vertex < 0 || (long_edges == 2 && middle[(k + 1) % 3].vertex < 0)) ++k;
    const Corner &a = corner[k], &b = corner[(k + 1) % 3], &c = corner[(k + 2) % 3], &first = middle[k];
    if (long_edges == 1) {
      Add(a, first, c, source);
      return Add(first, b, c, source);
    }
    // The corner between the two long edges is cut off, the rest along its shorter diagonal.
    const Corner& second = middle[(k + 1) % 3];
    Add(first, b, second, source);
    if (Length(a.vertex, second.vertex) < Length(first.vertex, c.vertex)) {
      Add(a, first, second, source);
      Add(a, second, c, source);
    } else {
      Add(a, first, c, source);
      Add(first, second, c, source);
    }
  }

  SplitMesh& split_;
  double longest_;
  std::map<std::pair<int, int>, int> middles_;
};

}  // namespace

SplitMesh SplitLongEdges(const FineMesh& source, double longest, int max_vertices) {
  SplitMesh split{source, {}, std::vector<Eigen::Matrix3d>(source.triangles.size(), Eigen::Matrix3d::Identity())};
  for (size_t t = 0; t < source.triangles.size(); ++t) split.sources.push_back(static_cast<int>(t));
  while (static_cast<int>(split.mesh.positions.size()) < max_vertices && Round(split, longest).Run()) {
  }
  return split;
}

}  // namespace sinew
