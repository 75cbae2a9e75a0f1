#include "sinew/offline/evaluate/limbs_touch.h"

#include "sinew/offline/anatomy/joint_names.h"
#include "sinew/offline/evaluate/methods.h"
#include "sinew/offline/mesh/self_intersection.h"

namespace sinew::evaluate {
namespace {

// Number of bones between two joints; larger than any such number if they are in different trees.
int TreeDistance(const std::vector<int>& parents, int a, int b) {
  const auto depth = [&](int j) {
    int steps = 0;
    for (; parents[j] >= 0; j = parents[j]) ++steps;
    return steps;
  };
  int distance = 0, da = depth(a), db = depth(b);
  for (; a != b; ++distance) {
    int& deeper = da >= db ? a : b;
    (da >= db ? da : db) -= 1;
    deeper = parents[deeper];
    if (deeper < 0) return static_cast<int>(parents.size());  // different trees
  }
  return distance;
}

}  // namespace

std::vector<int> StrongestJoints(const lod::Level& level) {
  std::vector<int> joints(level.point_count, 0);
  std::vector<float> largest(level.point_count, 0);
  int vertex = 0;
  for (const Part& part : level.character.parts) {
    const int influences = part.weights.influences;
    for (int v = 0; v < part.mesh.vertex_count(); ++v, ++vertex) {
      const int point = level.point_of_vertex[vertex];
      for (size_t slot = static_cast<size_t>(v) * influences; slot < (static_cast<size_t>(v) + 1) * influences;
           ++slot) {
        if (part.weights.weights[slot] <= largest[point]) continue;
        largest[point] = part.weights.weights[slot];
        joints[point] = part.weights.joints[slot];
      }
    }
  }
  return joints;
}

bool LimbsTouch(const lod::Level& level, const Points& posed_points) {
  // Joints further apart than this have no single joint between them that decides whether they meet; an upper arm and
  // the chest, or a thigh and the belly, are nearer.
  constexpr int kNeighbours = 4;
  const Skeleton& skeleton = level.character.skeleton;
  const std::vector<int> parents = AnatomicalParents(skeleton, IdentifyJoints(skeleton));
  const std::vector<int> joint_of_point = StrongestJoints(level);
  const TriMesh mesh{posed_points, PointTriangles(level)};
  for (const auto& [s, t] : SelfIntersections(mesh)) {
    const int a = joint_of_point[mesh.triangles(s, 0)], b = joint_of_point[mesh.triangles(t, 0)];
    if (TreeDistance(parents, a, b) > kNeighbours) return true;
  }
  return false;
}

}  // namespace sinew::evaluate
