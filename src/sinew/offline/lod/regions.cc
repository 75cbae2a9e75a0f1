#include "sinew/offline/lod/regions.h"

#include <algorithm>
#include <map>

#include "sinew/offline/lod/simplify.h"
#include "sinew/offline/mesh/disjoint_sets.h"
#include "sinew/offline/mesh/nearest_point.h"

namespace sinew::lod {
namespace {

constexpr double kLeastRegions = 4;  // a tetrahedron: the smallest closed island

// Islands of a surface, large ones being those with regions of their own.
struct Islands {
  std::vector<int> root;    // per point: lowest point of its island
  std::vector<bool> large;  // per point: whether its island is large
  int small_count = 0;
};

Islands FindIslands(const Surface& surface, int regions) {
  DisjointSets sets(surface.point_count());
  for (const Eigen::Vector3i& t : surface.triangles) {
    sets.Join(t[0], t[1]);
    sets.Join(t[0], t[2]);
  }
  std::map<int, double> areas;
  double whole = 0;
  for (const Eigen::Vector3i& t : surface.triangles) {
    const Eigen::Vector3d& a = surface.positions[t[0]];
    const double area = (surface.positions[t[1]] - a).cross(surface.positions[t[2]] - a).norm() / 2;
    areas[sets.Find(t[0])] += area;
    whole += area;
  }
  const auto largest =
      std::max_element(areas.begin(), areas.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  Islands islands;
  for (int p = 0; p < surface.point_count(); ++p) {
    const int root = sets.Find(p);
    islands.root.push_back(root);
    islands.large.push_back(root == largest->first || regions * areas[root] >= kLeastRegions * whole);
    if (root == p && !islands.large.back()) ++islands.small_count;
  }
  return islands;
}

// Gives every small island the row of the point of a large island that is nearest to any of its own.
void JoinIslands(const Surface& surface, const Islands& islands, const std::vector<int>& large_points, Upsampling& U0) {
  if (islands.small_count == 0) return;
  std::vector<Eigen::Vector3d> positions;
  positions.reserve(large_points.size());
  for (const int p : large_points) positions.push_back(surface.positions[p]);
  const NearestPoint tree(std::move(positions));
  std::map<int, NearestPoint::Found> nearest;
  for (int p = 0; p < surface.point_count(); ++p) {
    if (islands.large[p]) continue;
    const NearestPoint::Found found = tree.Find(surface.positions[p]);
    const auto [best, is_new] = nearest.try_emplace(islands.root[p], found);
    if (!is_new && found.distance < best->second.distance) best->second = found;
  }
  for (int p = 0; p < surface.point_count(); ++p) {
    if (islands.large[p]) continue;
    const int from = large_points[nearest[islands.root[p]].index];
    U0.corners[p] = U0.corners[from];
    U0.weights[p] = U0.weights[from];
  }
}

}  // namespace

Regions MakeRegions(const Surface& level_1, int count) {
  const Islands islands = FindIslands(level_1, count);
  Surface large;
  std::vector<int> number(level_1.point_count(), -1), points;
  for (int p = 0; p < level_1.point_count(); ++p) {
    if (!islands.large[p]) continue;
    number[p] = large.point_count();
    points.push_back(p);
    large.positions.push_back(level_1.positions[p]);
  }
  for (const Eigen::Vector3i& t : level_1.triangles) {
    if (number[t[0]] < 0) continue;
    large.triangles.emplace_back(number[t[0]], number[t[1]], number[t[2]]);
    large.part_of.push_back(0);
  }
  Simplifier simplifier(large, {.importance = {}, .keep_seams = false});
  simplifier.SimplifyTo(count);
  const Upsampling own = simplifier.Snapshot().upsampling;
  Regions regions;
  regions.joined_islands = islands.small_count;
  regions.U0.coarse_count = own.coarse_count;
  regions.U0.corners.resize(level_1.point_count());
  regions.U0.weights.resize(level_1.point_count());
  for (size_t i = 0; i < points.size(); ++i) {
    regions.U0.corners[points[i]] = own.corners[i];
    regions.U0.weights[points[i]] = own.weights[i];
  }
  JoinIslands(level_1, islands, points, regions.U0);
  return regions;
}

}  // namespace sinew::lod
