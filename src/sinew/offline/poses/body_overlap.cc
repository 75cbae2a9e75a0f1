#include "sinew/offline/poses/body_overlap.h"

#include <algorithm>
#include <map>
#include <utility>

namespace sinew::poses {
namespace {

using Eigen::Affine3d;
using Eigen::Vector3d;

// Gap at rest, as a fraction of the body's size, below which two spheres are not compared: they are one piece of flesh
// or press on each other.
constexpr double kNearAtRest = 0.01;
// Weight from which on a joint counts as one of those that carry a sphere.
constexpr double kCounts = 0.25;
// Swing, in radians, up to which a joint does not count as one that bends: it moves nothing out of the way.
constexpr double kBends = 0.1;
// Share of the poses given to Allow() whose overlaps are usual.
constexpr double kUsual = 0.9;

// Counts the joints that bend on the path between two joints: only turning these moves the two relative to each other.
// Ancestors are found in steps of powers of two, so that long chains (a tail, a rope) are as quick as short ones.
class JointsBetween {
 public:
  JointsBetween(const RestBody& rest, const JointLimits& limits)
      : depth_(rest.joint_count(), 0), bending_(rest.joint_count(), 0) {
    int deepest = 0;
    for (const int j : rest.order) {
      const double most = std::max({-limits[j].bend.min, limits[j].bend.max, -limits[j].side.min, limits[j].side.max});
      const int bends = limits[j].free || most > kBends ? 1 : 0;
      const int parent = rest.parents[j];
      depth_[j] = parent < 0 ? 0 : depth_[parent] + 1;
      bending_[j] = bends + (parent < 0 ? 0 : bending_[parent]);
      deepest = std::max(deepest, depth_[j]);
    }
    above_.push_back(rest.parents);
    for (int step = 1; 2 * step <= deepest; step *= 2) {
      const std::vector<int>& half = above_.back();
      std::vector<int> whole(half.size(), -1);
      for (size_t j = 0; j < half.size(); ++j) whole[j] = half[j] < 0 ? -1 : half[half[j]];
      above_.push_back(std::move(whole));
    }
  }

  int operator()(int a, int b) const {
    const int common = CommonAncestor(a, b);
    // In separate trees nothing connects them.
    return bending_[a] + bending_[b] + (common < 0 ? 2 : -2 * bending_[common]);
  }

 private:
  // The nearest joint that is above both or one of them; -1 if there is none.
  int CommonAncestor(int a, int b) const {
    if (depth_[a] < depth_[b]) std::swap(a, b);
    for (size_t i = above_.size(); i-- > 0;) {
      if (depth_[a] - depth_[b] >= 1 << i) a = above_[i][a];
    }
    if (a == b) return a;
    for (size_t i = above_.size(); i-- > 0;) {
      if (above_[i][a] == above_[i][b]) continue;
      a = above_[i][a];
      b = above_[i][b];
    }
    return above_[0][a];
  }

  std::vector<int> depth_;               // per joint: number of joints above it
  std::vector<int> bending_;             // per joint: number of joints that bend, of itself and those above it
  std::vector<std::vector<int>> above_;  // per power of two, per joint: the joint so many above it; -1: none
};

// Returns the smallest number of bending joints between any joint that carries sphere a and any that carries sphere b.
int FewestBetween(const BodySphere& a, const BodySphere& b, const JointsBetween& between) {
  int fewest = between(a.influences.joints[0], b.influences.joints[0]);
  for (int i = 0; i < a.influences.count; ++i) {
    for (int k = 0; k < b.influences.count; ++k) {
      if (a.influences.weights[i] < kCounts || b.influences.weights[k] < kCounts) continue;
      fewest = std::min(fewest, between(a.influences.joints[i], b.influences.joints[k]));
    }
  }
  return fewest;
}

}  // namespace

BodyOverlap::BodyOverlap(BodySpheres body, const RestBody& rest, const std::vector<Affine3d>& rest_models,
                         const JointLimits& limits)
    : body_(std::move(body)), joint_count_(rest.joint_count()) {
  // Express each centre in the frames of its joints.
  const std::vector<BodySphere>& spheres = body_.spheres;
  for (const BodySphere& sphere : spheres) {
    auto& local = local_.emplace_back();
    for (int i = 0; i < sphere.influences.count; ++i) {
      local[i] = rest_models[sphere.influences.joints[i]].inverse() * sphere.centre_rest;
    }
  }
  // Choose the pairs to compare, grouped by the strongest joints of both spheres.
  const JointsBetween between(rest, limits);
  std::map<std::pair<int, int>, std::vector<Pair>> by_joints;
  for (int a = 0; a < static_cast<int>(spheres.size()); ++a) {
    for (int b = 0; b < a; ++b) {
      const double gap =
          (spheres[a].centre_rest - spheres[b].centre_rest).norm() - spheres[a].radius - spheres[b].radius;
      if (gap < kNearAtRest * body_.size || FewestBetween(spheres[a], spheres[b], between) < 2) continue;
      by_joints[{spheres[a].influences.joints[0], spheres[b].influences.joints[0]}].push_back({a, b});
    }
  }
  for (const auto& [joints, pairs] : by_joints) {
    const int first = static_cast<int>(pairs_.size());
    pairs_.insert(pairs_.end(), pairs.begin(), pairs.end());
    groups_.push_back({joints.first, joints.second, first, static_cast<int>(pairs_.size())});
  }
}

void BodyOverlap::Allow(const std::vector<std::vector<Affine3d>>& poses) {
  if (poses.empty()) return;
  // The deepest overlap of every two joints in every pose.
  using Joints = std::pair<int, int>;
  const auto joints_of = [&](int a, int b) -> Joints {
    return std::minmax(body_.spheres[a].influences.joints[0], body_.spheres[b].influences.joints[0]);
  };
  std::map<Joints, std::vector<double>> depths;
  std::vector<Vector3d> centres;
  std::vector<SphereOverlap> overlaps;
  for (size_t p = 0; p < poses.size(); ++p) {
    Place(poses[p], centres);
    Find(centres, 0, overlaps);
    for (const SphereOverlap& overlap : overlaps) {
      std::vector<double>& of_joints = depths[joints_of(overlap.a, overlap.b)];
      of_joints.resize(poses.size(), 0);
      of_joints[p] = std::max(of_joints[p], overlap.depth);
    }
  }
  for (Group& group : groups_) {
    const auto found = depths.find(std::minmax(group.joint_a, group.joint_b));
    if (found == depths.end()) continue;
    std::vector<double> sorted = found->second;
    std::sort(sorted.begin(), sorted.end());
    group.allowed = sorted[static_cast<size_t>(kUsual * static_cast<double>(sorted.size() - 1))];
  }
}

void BodyOverlap::Place(const std::vector<Affine3d>& models, std::vector<Vector3d>& centres) const {
  centres.resize(body_.spheres.size());
  for (size_t s = 0; s < centres.size(); ++s) {
    centres[s].setZero();
    for (int i = 0; i < body_.spheres[s].influences.count; ++i) {
      centres[s] += body_.spheres[s].influences.weights[i] * PlacedBy(static_cast<int>(s), i, models);
    }
  }
}

void BodyOverlap::Find(const std::vector<Vector3d>& centres, double least, std::vector<SphereOverlap>& overlaps) const {
  // Bound the spheres of each joint by a box.
  overlaps.clear();
  std::vector<Eigen::AlignedBox3d> boxes(joint_count_);
  for (size_t s = 0; s < centres.size(); ++s) {
    const Vector3d radius = Vector3d::Constant(body_.spheres[s].radius);
    Eigen::AlignedBox3d& box = boxes[body_.spheres[s].influences.joints[0]];
    box.extend(centres[s] - radius);
    box.extend(centres[s] + radius);
  }
  // Test the pairs of all groups whose boxes intersect.
  for (const Group& group : groups_) {
    if (!boxes[group.joint_a].intersects(boxes[group.joint_b])) continue;
    for (int p = group.first; p < group.end; ++p) {
      const auto [a, b] = pairs_[p];
      const double reach = body_.spheres[a].radius + body_.spheres[b].radius - (least + group.allowed) * body_.size;
      const Vector3d apart = centres[a] - centres[b];
      const double square = apart.squaredNorm();
      if (reach <= 0 || square >= reach * reach) continue;
      const double distance = std::sqrt(square);
      // Coinciding centres have no shortest way apart: any direction will do.
      const Vector3d away = distance > 1e-12 * body_.size ? Vector3d(apart / distance) : Vector3d::UnitY();
      overlaps.push_back({a, b, (reach - distance) / body_.size + least, away});
    }
  }
}

}  // namespace sinew::poses
