#include "sinew/offline/embedded/mend_patches.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "sinew/offline/mesh/adjacency.h"
#include "sinew/offline/mesh/self_intersection.h"

namespace sinew::embedded {
namespace {

// Number of intersections from which on a mesh is not mended, since its shape is wrong, not a detail.
constexpr int kMostPairs = 200;
// Rings of vertices around an intersection: those that are replaced, one entry per attempt, those over which the
// replacement fades out, and those beyond whose places it is fitted to.
constexpr int kReplaced[] = {2, 4, 6};
constexpr int kFading = 4, kFitted = 3;

// Distances in edges from the corners of some triangles, -1 beyond `most`.
std::vector<int> RingsAround(const FineMesh& mesh, const Csr& around, const TrianglePairs& pairs, int most) {
  std::vector<int> rings(mesh.positions.size(), -1), front;
  for (const auto& pair : pairs) {
    for (const int t : pair) {
      for (int k = 0; k < 3; ++k) {
        if (rings[mesh.triangles[t][k]] == 0) continue;
        rings[mesh.triangles[t][k]] = 0;
        front.push_back(mesh.triangles[t][k]);
      }
    }
  }
  for (int ring = 1; ring <= most; ++ring) {
    std::vector<int> next;
    for (const int v : front) {
      for (const int w : around[v]) {
        if (rings[w] >= 0) continue;
        rings[w] = ring;
        next.push_back(w);
      }
    }
    front = std::move(next);
  }
  return rings;
}

// Splits the vertices that have a ring into connected patches.
std::vector<std::vector<int>> PatchesOf(const Csr& around, const std::vector<int>& rings) {
  std::vector<std::vector<int>> patches;
  std::vector<bool> taken(rings.size(), false);
  for (size_t start = 0; start < rings.size(); ++start) {
    if (rings[start] < 0 || taken[start]) continue;
    std::vector<int> patch = {static_cast<int>(start)};
    taken[start] = true;
    for (size_t i = 0; i < patch.size(); ++i) {
      for (const int w : around[patch[i]]) {
        if (rings[w] < 0 || taken[w]) continue;
        taken[w] = true;
        patch.push_back(w);
      }
    }
    patches.push_back(std::move(patch));
  }
  return patches;
}

void Replace(const FineMesh& from, const std::vector<int>& patch, const std::vector<int>& rings, int replaced,
             const std::vector<bool>& stays, FineMesh& mesh) {
  Eigen::Matrix3Xd before(3, patch.size()), after(3, patch.size());
  for (size_t i = 0; i < patch.size(); ++i) {
    before.col(static_cast<Eigen::Index>(i)) = from.positions[patch[i]];
    after.col(static_cast<Eigen::Index>(i)) = mesh.positions[patch[i]];
  }
  const Eigen::Matrix4d fit = Eigen::umeyama(before, after, true);
  if (!fit.allFinite()) return;
  for (const int v : patch) {
    if (stays[v]) continue;
    const double share = std::clamp(1 - static_cast<double>(rings[v] - replaced) / (kFading + 1), 0.0, 1.0);
    const Eigen::Vector3d placed = fit.topLeftCorner<3, 3>() * from.positions[v] + fit.topRightCorner<3, 1>();
    mesh.positions[v] += share * (placed - mesh.positions[v]);
  }
}

}  // namespace

bool MendPatches(const FineMesh& from, const std::vector<bool>& stays, FineMesh& mesh) {
  const TriMesh topology = ToTriMesh(mesh);
  const Csr around = VertexVertices(BuildEdges(topology.triangles, topology.vertex_count()), topology.vertex_count());
  for (const int replaced : kReplaced) {
    const TrianglePairs pairs = SelfIntersections(ToTriMesh(mesh), kMostPairs);
    if (pairs.empty()) return true;
    if (static_cast<int>(pairs.size()) >= kMostPairs) return false;
    const std::vector<int> rings = RingsAround(mesh, around, pairs, replaced + kFading + kFitted);
    for (const std::vector<int>& patch : PatchesOf(around, rings)) Replace(from, patch, rings, replaced, stays, mesh);
  }
  return SelfIntersections(ToTriMesh(mesh), 1).empty();
}

}  // namespace sinew::embedded
