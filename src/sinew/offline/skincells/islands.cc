#include "sinew/offline/skincells/islands.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sinew/offline/mesh/disjoint_sets.h"

namespace sinew::skincells {
namespace {

constexpr size_t kMaxSentences = 5;

std::vector<std::vector<int>> Islands(const TriMesh& mesh) {
  DisjointSets sets(mesh.vertex_count());
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    sets.Join(mesh.triangles(t, 0), mesh.triangles(t, 1));
    sets.Join(mesh.triangles(t, 0), mesh.triangles(t, 2));
  }
  std::vector<int> island_of(mesh.vertex_count(), -1);
  std::vector<std::vector<int>> islands;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    int& island = island_of[sets.Find(v)];
    if (island < 0) {
      island = static_cast<int>(islands.size());
      islands.emplace_back();
    }
    islands[island].push_back(v);
  }
  return islands;
}

double BoneSize(std::span<const Bone> bones) {
  Eigen::AlignedBox3d box;
  for (const Bone& bone : bones) box.extend(bone.a), box.extend(bone.b);
  return box.isEmpty() ? 0 : box.sizes().maxCoeff();
}

// Measures one island. farthest: raised to the largest distance of its vertices from their nearest bones.
UnreachedIsland Measure(const Subject& subject, std::span<const Bone> bones, std::vector<int> vertices,
                        double& farthest) {
  UnreachedIsland island;
  island.distance = std::numeric_limits<double>::infinity();
  island.center.setZero();
  for (const int v : vertices) {
    const Eigen::Vector3d x = subject.surface.positions.row(v).transpose().cast<double>();
    island.center += x / static_cast<double>(vertices.size());
    double nearest = std::numeric_limits<double>::infinity();
    for (const Bone& bone : bones) {
      nearest = std::min(nearest, ClosestOnBone(bone, x).distance);
      if (nearest >= island.distance) continue;
      island.distance = nearest;
      island.joint = bone.joint;
    }
    farthest = std::max(farthest, nearest);
  }
  island.vertices = std::move(vertices);
  return island;
}

}  // namespace

std::vector<UnreachedIsland> FindUnreachedIslands(const Subject& subject, std::span<const Bone> bones) {
  double reach = kReach * BoneSize(bones);
  std::vector<UnreachedIsland> found;
  for (std::vector<int>& vertices : Islands(subject.surface)) {
    double farthest = 0;
    UnreachedIsland island = Measure(subject, bones, std::move(vertices), farthest);
    if (island.joint < 0) continue;
    if (island.distance <= reach) {
      reach = std::max(reach, farthest);
    } else {
      found.push_back(std::move(island));
    }
  }
  std::erase_if(found, [&](const UnreachedIsland& island) { return island.distance <= reach; });
  return found;
}

std::vector<std::string> BindIslands(const Subject& subject, std::span<const UnreachedIsland> islands,
                                     const std::string& file, SkinWeights& weights) {
  std::vector<std::string> sentences;
  for (const UnreachedIsland& island : islands) {
    for (const int v : island.vertices) {
      const size_t first = static_cast<size_t>(v) * weights.influences;
      for (int k = 0; k < weights.influences; ++k) {
        weights.joints[first + k] = k == 0 ? static_cast<uint16_t>(island.joint) : uint16_t{0};
        weights.weights[first + k] = k == 0 ? 1.0f : 0.0f;
      }
    }
    if (sentences.size() == kMaxSentences) continue;
    const Eigen::Vector3d& c = island.center;
    sentences.push_back(fmt::format(
        "{}: no joint reaches an island of {} {} around ({:.3g}, {:.3g}, {:.3g}); it is bound to the nearest, '{}', "
        "{:.3g} away",
        file, island.vertices.size(), island.vertices.size() == 1 ? "vertex" : "vertices", c.x(), c.y(), c.z(),
        subject.skeleton.joints[island.joint].name, island.distance));
  }
  if (islands.size() > kMaxSentences) {
    sentences.push_back(fmt::format("{}: and so are {} more islands", file, islands.size() - kMaxSentences));
  }
  return sentences;
}

}  // namespace sinew::skincells
