#include "sinew/offline/mesh/self_intersection.h"

#include <algorithm>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/box_tree.h"
#include "sinew/offline/mesh/edges.h"
#include "sinew/offline/mesh/triangle_intersection.h"

namespace sinew {
namespace {

// The corners, shared ones first and in the same order as the other triangle's.
struct Ordered {
  Corners3f s, t;
  int shared = 0;
};

Ordered SharedFirst(const TriMesh& mesh, int s, int t) {
  std::array<int, 3> a = {mesh.triangles(s, 0), mesh.triangles(s, 1), mesh.triangles(s, 2)};
  std::array<int, 3> b = {mesh.triangles(t, 0), mesh.triangles(t, 1), mesh.triangles(t, 2)};
  Ordered ordered;
  for (int i = 0; i < 3; ++i) {
    const auto found = std::find(b.begin() + ordered.shared, b.end(), a[i]);
    if (found == b.end()) continue;
    std::swap(a[i], a[ordered.shared]);
    std::iter_swap(found, b.begin() + ordered.shared);
    ++ordered.shared;
  }
  for (int k = 0; k < 3; ++k) {
    ordered.s[k] = mesh.positions.row(a[k]).transpose();
    ordered.t[k] = mesh.positions.row(b[k]).transpose();
  }
  return ordered;
}

// Highest item below each node: a search for items above a given one leaves out nodes without any.
std::vector<int> LastItems(const Bvh& bvh) {
  std::vector<int> last(bvh.nodes.size(), -1);
  for (size_t n = bvh.nodes.size(); n-- > 0;) {
    const Bvh::Node& node = bvh.nodes[n];
    if (node.right >= 0) {
      last[n] = std::max(last[n + 1], last[node.right]);
    } else {
      for (int i = node.begin; i < node.end; ++i) last[n] = std::max(last[n], bvh.items[i]);
    }
  }
  return last;
}

}  // namespace

bool TrianglesIntersect(const TriMesh& mesh, int s, int t) {
  if (IsCollapsed(mesh.triangles, s) || IsCollapsed(mesh.triangles, t)) return false;
  const Ordered pair = SharedFirst(mesh, s, t);
  switch (pair.shared) {
    case 0:
      return TrianglesMeet(pair.s, pair.t);
    case 1:
      return TrianglesMeetBeyondCorner(pair.s, pair.t);
    case 2:
      return TrianglesMeetBeyondEdge(pair.s, pair.t) && HasArea(pair.t);
    default:
      return HasArea(pair.s);
  }
}

TrianglePairs SelfIntersections(const TriMesh& welded, int max_pairs) {
  const std::vector<Box> boxes = TriangleBoxes(welded);
  const Bvh bvh = BuildBvh(boxes);
  const std::vector<int> last = LastItems(bvh);
  const auto add_pairs = [&](int s, TrianglePairs& found) {
    const size_t first = found.size();
    TraverseLeaves(
        bvh, [&](int n) { return last[n] > s && bvh.nodes[n].box.intersects(boxes[s]); },
        [&](int n) {
          for (int i = bvh.nodes[n].begin; i < bvh.nodes[n].end; ++i) {
            const int t = bvh.items[i];
            if (t > s && boxes[s].intersects(boxes[t]) && TrianglesIntersect(welded, s, t)) found.push_back({s, t});
          }
        });
    std::sort(found.begin() + static_cast<std::ptrdiff_t>(first), found.end());
  };
  // Copies of one triangle have as many pairs as the square of their number. So a chunk stops once it has enough, and
  // pairs are counted after two chunks, four more, and so on, but never after more than sixteen.
  constexpr int kGrain = 32, kLargestBatch = 16 * kGrain;
  const auto most = static_cast<size_t>(max_pairs);
  TrianglePairs pairs;
  int first = 0, batch_size = 2 * kGrain;
  while (first < welded.triangle_count() && pairs.size() < most) {
    const TrianglePairs batch = ParallelReduce(
        std::min(batch_size, welded.triangle_count() - first), kGrain, TrianglePairs{},
        [&](int begin, int end) {
          TrianglePairs found;
          for (int s = first + begin; s < first + end && found.size() < most; ++s) add_pairs(s, found);
          return found;
        },
        [](TrianglePairs& all, const TrianglePairs& some) { all.insert(all.end(), some.begin(), some.end()); });
    pairs.insert(pairs.end(), batch.begin(), batch.end());
    first += batch_size;
    batch_size = std::min(2 * batch_size, kLargestBatch);
  }
  if (pairs.size() > most) pairs.resize(most);
  return pairs;
}

}  // namespace sinew
