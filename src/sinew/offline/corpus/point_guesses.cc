#include "sinew/offline/corpus/point_guesses.h"

#include <algorithm>
#include <unordered_set>

#include "sinew/offline/mesh/adjacency.h"

namespace sinew::corpus {
namespace {

constexpr int kGridBits = 16;
constexpr int kSources = 6;      // points that a guess is made from, at most
constexpr int kMaxVisits = 600;  // points that are looked at for them
constexpr int kWeight = 240;     // of a source at a distance of one edge

// Finds the nearest known points along edges, ring by ring.
class SourceSearch {
 public:
  explicit SourceSearch(const Csr& neighbours) : neighbours_(neighbours), seen_(neighbours.row_count(), -1) {}

  void Find(int point, const std::vector<char>& known, PointGuesses& guesses) {
    queue_.assign(1, {point, 0});
    seen_[point] = point;
    const size_t first = guesses.sources.items.size();
    for (size_t at = 0; at < queue_.size() && at < kMaxVisits; ++at) {
      const auto [i, ring] = queue_[at];
      const size_t found = guesses.sources.items.size() - first;
      if (found >= kSources) break;
      if (known[i] != 0) {
        guesses.sources.items.push_back(i);
        guesses.weights.push_back(std::max(1, kWeight / (ring * ring)));
        continue;  // what lies behind it is farther
      }
      for (const int next : neighbours_[i]) {
        if (seen_[next] == point) continue;
        seen_[next] = point;
        queue_.push_back({next, ring + 1});
      }
    }
  }

 private:
  struct Visit {
    int point, ring;
  };
  const Csr& neighbours_;
  std::vector<int> seen_;
  std::vector<Visit> queue_;
};

}  // namespace

std::vector<int> CoarseToFine(const std::vector<uint16_t>& grid) {
  const int points = static_cast<int>(grid.size() / 3);
  std::vector<int> order, left(points);
  for (int i = 0; i < points; ++i) left[i] = i;
  for (int bits = 1; bits <= kGridBits && !left.empty(); ++bits) {
    const auto cell = [&](int i) {
      uint64_t key = 0;
      for (int a = 0; a < 3; ++a) key = key << kGridBits | grid[3 * static_cast<size_t>(i) + a] >> (kGridBits - bits);
      return key;
    };
    std::unordered_set<uint64_t> taken;
    for (const int i : order) taken.insert(cell(i));
    const auto rest =
        std::stable_partition(left.begin(), left.end(), [&](int i) { return taken.insert(cell(i)).second; });
    order.insert(order.end(), left.begin(), rest);
    left.erase(left.begin(), rest);
  }
  order.insert(order.end(), left.begin(), left.end());  // copies of points
  return order;
}

std::vector<int> AlongSurface(const Triangles& triangles, int points) {
  const Csr neighbours = VertexVertices(BuildEdges(triangles, points), points);
  std::vector<int> order;
  std::vector<char> seen(points, 0);
  const auto add = [&](int i) {
    if (seen[i] == 0) order.push_back(i);
    seen[i] = 1;
  };
  size_t at = 0;
  for (int start = 0; start < points; ++start) {
    add(start);
    for (; at < order.size(); ++at) {
      for (const int next : neighbours[order[at]]) add(next);
    }
  }
  return order;
}

PointGuesses MakePointGuesses(std::vector<int> order, const Triangles& triangles) {
  PointGuesses guesses;
  guesses.order = std::move(order);
  const int points = static_cast<int>(guesses.order.size());
  const Csr neighbours = VertexVertices(BuildEdges(triangles, points), points);
  SourceSearch search(neighbours);
  std::vector<char> known(points, 0);
  guesses.sources.offsets = {0};
  for (const int point : guesses.order) {
    search.Find(point, known, guesses);
    known[point] = 1;
    guesses.sources.offsets.push_back(static_cast<int>(guesses.sources.items.size()));
  }
  return guesses;
}

}  // namespace sinew::corpus
