#include "sinew/offline/skincells/training_set.h"

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/adjacency.h"

namespace sinew::skincells {
namespace {

// Range along a spring, from 0 at the bone to 1 at the skin, in which it may not meet the mesh. Its ends are left out:
// they touch a bone that may lie in the skin, and the skin itself.
constexpr float kNear = 1e-3f, kFar = 1 - 1e-3f;

bool IsOrthogonal(const Bone& bone, const BonePoint& at, const Eigen::Vector3d& x, double largest_cosine) {
  const Eigen::Vector3d along = bone.b - bone.a, spring = x - at.point;
  return std::abs(along.dot(spring)) <= largest_cosine * along.norm() * spring.norm();
}

std::vector<int> ParentColumns(const Subject& subject) {
  std::vector<int> column(subject.skeleton.joints.size(), -1), parents;
  for (size_t i = 0; i < subject.joints.size(); ++i) {
    int parent = subject.skeleton.joints[subject.joints[i]].parent;
    while (parent >= 0 && column[parent] < 0) parent = subject.skeleton.joints[parent].parent;
    parents.push_back(parent < 0 ? -1 : column[parent]);
    column[subject.joints[i]] = static_cast<int>(i);
  }
  return parents;
}

TrainingPose MakePose(const Subject& subject, const Skeleton& file_skeleton, const std::vector<int>& parents,
                      const Pose& pose) {
  const auto matrices = SkinningMatrices(subject, file_skeleton, pose);
  TrainingPose out;
  for (size_t i = 0; i < subject.joints.size(); ++i) {
    Eigen::Affine3d T = matrices[subject.joints[i]];
    T.translation() = (T * subject.origin - subject.origin) / subject.size;
    Eigen::Quaterniond q(T.rotation());
    q.normalize();
    // q and -q are the same rotation, and only quaternions that are near each other can be blended.
    const bool far = parents[i] < 0 ? q.w() < 0 : q.dot(out.rotation[parents[i]]) < 0;
    if (far) q.coeffs() = -q.coeffs();
    out.T.push_back(T);
    out.rotation.push_back(q);
  }
  return out;
}

}  // namespace

std::vector<Spring> MakeSprings(const Subject& subject, std::span<const Bone> bones, const SurfaceQuery& query,
                                const SpringOptions& options) {
  std::vector<int> column(subject.skeleton.joints.size(), -1);
  for (size_t i = 0; i < subject.joints.size(); ++i) column[subject.joints[i]] = static_cast<int>(i);
  std::vector<Spring> springs(subject.surface.vertex_count());
  ParallelFor(subject.surface.vertex_count(), 64, [&](int v) {
    const Eigen::Vector3d x = subject.surface.positions.row(v).transpose().cast<double>();
    const Bone* nearest = nullptr;
    BonePoint at;
    for (const Bone& bone : bones) {
      const BonePoint here = ClosestOnBone(bone, x);
      if (nearest != nullptr && here.distance >= at.distance) continue;
      nearest = &bone;
      at = here;
    }
    if (nearest == nullptr || !IsOrthogonal(*nearest, at, x, options.largest_cosine)) return;
    if (query.Shoot(at.point.cast<float>(), (x - at.point).cast<float>(), kNear, kFar)) return;
    springs[v] = {column[nearest->joint], subject.ToBox(at.point), at.distance / subject.size};
  });
  return springs;
}

TrainingSet MakeTrainingSet(const Subject& subject, std::vector<Spring> springs, const Skeleton& file_skeleton,
                            std::span<const Pose> poses) {
  TrainingSet set;
  const int vertices = subject.surface.vertex_count();
  set.points.resize(3, vertices);
  for (int v = 0; v < vertices; ++v) {
    set.points.col(v) = subject.ToBox(subject.surface.positions.row(v).transpose().cast<double>());
  }
  const EdgeTable edges = BuildEdges(subject.surface.triangles, vertices);
  double square = 0;
  for (const auto& [a, b] : edges.vertices) square += (set.points.col(a) - set.points.col(b)).squaredNorm();
  // On a mesh whose edges have no length, smoothness means nothing, and any scale will do.
  set.edge = square > 0 ? std::sqrt(square / edges.edge_count()) : 1;
  set.neighbors = VertexVertices(edges, vertices);
  set.L = Eigen::Matrix3Xd::Zero(3, vertices);
  for (int v = 0; v < vertices; ++v) {
    const std::span<const int> around = set.neighbors[v];
    for (const int n : around) set.L.col(v) += (set.points.col(n) - set.points.col(v)) / around.size();
  }
  set.springs = std::move(springs);
  set.joint_count = static_cast<int>(subject.joints.size());
  const std::vector<int> parents = ParentColumns(subject);
  set.poses.resize(poses.size());
  ParallelFor(static_cast<int>(poses.size()), 16,
              [&](int p) { set.poses[p] = MakePose(subject, file_skeleton, parents, poses[p]); });
  return set;
}

}  // namespace sinew::skincells
