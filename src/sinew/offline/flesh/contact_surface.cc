#include "sinew/offline/flesh/contact_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <queue>
#include <unordered_map>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/adjacency.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/queries.h"

namespace sinew::flesh {
namespace {

// Spatial hash of points over cubes of one size.
class CubeHash {
 public:
  explicit CubeHash(double size) : size_(size) {}
  void Put(const Eigen::Vector3f& p, int item) { cubes_[Key(CubeOf(p))].push_back(item); }
  // Calls visit(item) for all items in the 27 cubes around p.
  template <typename Visit>
  void Around(const Eigen::Vector3f& p, const Visit& visit) const {
    const Eigen::Vector3i centre = CubeOf(p);
    for (int i = 0; i < 27; ++i) {
      const auto found = cubes_.find(Key(centre + Eigen::Vector3i(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1)));
      if (found == cubes_.end()) continue;
      for (const int item : found->second) visit(item);
    }
  }

 private:
  Eigen::Vector3i CubeOf(const Eigen::Vector3f& p) const {
    return (p.cast<double>() / size_).array().floor().cast<int>();
  }
  static uint64_t Key(const Eigen::Vector3i& c) {
    uint64_t key = 0;
    for (const int k : c) key = key << 21 | (static_cast<uint64_t>(k + (1 << 20)) & 0x1FFFFF);
    return key;
  }
  double size_;
  std::unordered_map<uint64_t, std::vector<int>> cubes_;
};

// Selects vertices in their order, unless one that was selected before is nearer than the spacing and faces the same
// way.
std::vector<int> ChoosePoints(const TriMesh& skin, double spacing) {
  const Points normals = VertexNormals(skin);
  CubeHash hash(spacing);
  std::vector<int> chosen;
  for (int v = 0; v < skin.vertex_count(); ++v) {
    const Eigen::Vector3f p = skin.positions.row(v).transpose();
    bool is_free = true;
    hash.Around(p, [&](int other) {
      is_free &= (skin.positions.row(other) - skin.positions.row(v)).norm() >= spacing ||
                 normals.row(other).dot(normals.row(v)) < 0;
    });
    if (!is_free) continue;
    hash.Put(p, v);
    chosen.push_back(v);
  }
  return chosen;
}

// Index in `chosen` of the point that is nearest along edges, one per vertex; -1 where none can be reached.
std::vector<int> NearestAlongEdges(const TriMesh& skin, const std::vector<int>& chosen) {
  const Csr neighbours = VertexVertices(BuildEdges(skin.triangles, skin.vertex_count()), skin.vertex_count());
  std::vector<double> distance(skin.vertex_count(), std::numeric_limits<double>::infinity());
  std::vector<int> owner(skin.vertex_count(), -1);
  using Entry = std::pair<double, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  for (size_t i = 0; i < chosen.size(); ++i) {
    distance[chosen[i]] = 0;
    owner[chosen[i]] = static_cast<int>(i);
    queue.emplace(0.0, chosen[i]);
  }
  while (!queue.empty()) {
    const auto [at, v] = queue.top();
    queue.pop();
    if (at > distance[v]) continue;
    for (const int other : neighbours[v]) {
      const double further = at + (skin.positions.row(other) - skin.positions.row(v)).norm();
      if (!(further < distance[other])) continue;
      distance[other] = further;
      owner[other] = owner[v];
      queue.emplace(further, other);
    }
  }
  return owner;
}

}  // namespace

std::vector<double> MeasureThickness(const TriMesh& skin) {
  const SurfaceQuery query(skin);
  const Points normals = VertexNormals(skin);
  const float size = BoundingBox(skin.positions).diagonal().norm();
  std::vector<double> thickness(skin.vertex_count());
  ParallelFor(skin.vertex_count(), 256, [&](int v) {
    const Eigen::Vector3f p = skin.positions.row(v).transpose(), inwards = -normals.row(v).transpose();
    const auto hit = query.Shoot(p + 1e-4f * size * inwards, inwards, 0, size);
    thickness[v] = hit ? hit->distance : std::numeric_limits<double>::infinity();
  });
  return thickness;
}

ContactSurface SpreadContactPoints(const TriMesh& skin, double spacing) {
  ContactSurface result;
  if (skin.vertex_count() == 0) return result;
  const std::vector<double> thickness = MeasureThickness(skin);
  result.skin_of = ChoosePoints(skin, spacing);
  for (const int v : result.skin_of) result.thickness.push_back(thickness[v]);
  const std::vector<int>& owner = result.point_of = NearestAlongEdges(skin, result.skin_of);
  const auto count = static_cast<Eigen::Index>(result.skin_of.size());
  result.mesh.positions.resize(count, 3);
  for (Eigen::Index i = 0; i < count; ++i) result.mesh.positions.row(i) = skin.positions.row(result.skin_of[i]);
  result.areas.assign(count, 0);
  std::vector<std::array<int, 3>> triangles;
  for (int t = 0; t < skin.triangle_count(); ++t) {
    std::array<int, 3> corners;
    const double third = ShapeOf(Corners(skin, t)).area / 3;
    for (int k = 0; k < 3; ++k) {
      corners[k] = owner[skin.triangles(t, k)];
      if (corners[k] >= 0) result.areas[corners[k]] += third;
    }
    if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) continue;
    std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
    triangles.push_back(corners);
  }
  std::sort(triangles.begin(), triangles.end());
  triangles.erase(std::unique(triangles.begin(), triangles.end()), triangles.end());
  result.mesh.triangles.resize(static_cast<Eigen::Index>(triangles.size()), 3);
  for (size_t t = 0; t < triangles.size(); ++t) {
    for (int k = 0; k < 3; ++k) result.mesh.triangles(static_cast<Eigen::Index>(t), k) = triangles[t][k];
  }
  return result;
}

}  // namespace sinew::flesh
