#include "sinew/offline/autorig/separate_bodies.h"

#include <algorithm>
#include <map>
#include <vector>

#include "sinew/offline/mesh/disjoint_sets.h"
#include "sinew/offline/mesh/measures.h"

namespace sinew::autorig {
namespace {

constexpr double kSmall = 0.01;     // share of the area of islands that do not count
constexpr double kAlike = 1.0 / 3;  // area of a group that may be a body, as a share of the largest
constexpr float kNear = 0.02F;      // distance of boxes that touch, as a share of the island's diagonal

struct Island {
  Box box;
  double area = 0;
};

std::vector<Island> IslandsOf(const TriMesh& surface) {
  DisjointSets sets(surface.vertex_count());
  for (int t = 0; t < surface.triangle_count(); ++t) {
    sets.Join(surface.triangles(t, 0), surface.triangles(t, 1));
    sets.Join(surface.triangles(t, 0), surface.triangles(t, 2));
  }
  const std::vector<double> areas = VertexAreas(surface);
  std::map<int, Island> islands;
  double total = 0;
  for (int v = 0; v < surface.vertex_count(); ++v) {
    if (!(areas[v] > 0)) continue;
    Island& island = islands[sets.Find(v)];
    island.box.extend(surface.positions.row(v).transpose());
    island.area += areas[v];
    total += areas[v];
  }
  std::vector<Island> large;
  for (auto& [lowest, island] : islands) {
    if (island.area < kSmall * total) continue;
    const float margin = kNear * island.box.diagonal().norm();
    island.box.min().array() -= margin;
    island.box.max().array() += margin;
    large.push_back(island);
  }
  return large;
}

}  // namespace

int CountSeparateBodies(const TriMesh& surface) {
  const std::vector<Island> islands = IslandsOf(surface);
  const auto count = static_cast<int>(islands.size());
  DisjointSets groups(count);
  for (int a = 0; a < count; ++a) {
    for (int b = 0; b < a; ++b) {
      if (islands[a].box.intersects(islands[b].box)) groups.Join(a, b);
    }
  }
  std::vector<double> areas(count, 0);
  for (int a = 0; a < count; ++a) areas[groups.Find(a)] += islands[a].area;
  const double largest = areas.empty() ? 0 : *std::max_element(areas.begin(), areas.end());
  return static_cast<int>(
      std::count_if(areas.begin(), areas.end(), [&](double area) { return area > 0 && area >= kAlike * largest; }));
}

}  // namespace sinew::autorig
