#include "sinew/offline/mesh/boundary_loops.h"

#include <algorithm>
#include <utility>

namespace sinew {
namespace {

class Walker {
 public:
  Walker(const EdgeTable& edges, std::span<const int> boundary_edges)
      : edges_(edges), used_(edges.edge_count(), false) {
    for (const int e : boundary_edges) {
      for (const int v : edges.vertices[e]) ends_.emplace_back(v, e);
    }
    std::sort(ends_.begin(), ends_.end());
    place_in_path_.assign(ends_.empty() ? 0 : ends_.back().first + 1, -1);
  }

  bool used(int edge) const { return used_[edge]; }
  // Vertices where a walk has to end: an odd number of boundary edges.
  std::vector<int> OddVertices() const {
    std::vector<int> odd;
    for (size_t i = 0; i < ends_.size();) {
      const size_t begin = i;
      while (i < ends_.size() && ends_[i].first == ends_[begin].first) ++i;
      if ((i - begin) % 2 == 1) odd.push_back(ends_[begin].first);
    }
    return odd;
  }

  // Walks from a vertex until no free edge leads on.
  void Walk(int start, std::vector<BoundaryLoop>& loops) {
    std::vector<int> path;
    const auto enter = [&](int vertex) {
      place_in_path_[vertex] = static_cast<int>(path.size());
      path.push_back(vertex);
    };
    const auto cut_after = [&](int place) {
      for (size_t i = place + 1; i < path.size(); ++i) place_in_path_[path[i]] = -1;
      path.resize(place + 1);
    };
    enter(start);
    for (int edge = FreeEdge(start); edge >= 0; edge = FreeEdge(path.back())) {
      used_[edge] = true;
      const auto& [a, b] = edges_.vertices[edge];
      const int next = path.back() == a ? b : a;
      const int place = place_in_path_[next];
      if (place < 0) {
        enter(next);
      } else {
        loops.push_back({std::vector<int>(path.begin() + place, path.end()), true});
        cut_after(place);
      }
    }
    if (path.size() > 1) loops.push_back({path, false});
    cut_after(-1);
  }

 private:
  // The lowest unused boundary edge at a vertex, or -1.
  int FreeEdge(int vertex) const {
    for (auto end = std::lower_bound(ends_.begin(), ends_.end(), std::pair(vertex, -1));
         end != ends_.end() && end->first == vertex; ++end) {
      if (!used_[end->second]) return end->second;
    }
    return -1;
  }

  const EdgeTable& edges_;
  std::vector<bool> used_;
  std::vector<std::pair<int, int>> ends_;  // (vertex, edge), sorted
  std::vector<int> place_in_path_;         // one per vertex up to the last boundary vertex; -1: not in the current path
};

}  // namespace

std::vector<BoundaryLoop> StringBoundary(const EdgeTable& edges, std::span<const int> boundary_edges) {
  std::vector<BoundaryLoop> loops;
  Walker walker(edges, boundary_edges);
  for (const int vertex : walker.OddVertices()) walker.Walk(vertex, loops);
  for (const int edge : boundary_edges) {
    if (!walker.used(edge)) walker.Walk(edges.vertices[edge][0], loops);
  }
  return loops;
}

}  // namespace sinew
