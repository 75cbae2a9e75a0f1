#include "sinew/offline/character/carriers.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew {
namespace {

using Eigen::Affine3f;
using Eigen::Vector3f;

// Poses taken from each animation, and from all together at most; and the largest number of comparisons of two joints
// in a pose. Rigs of thousands of joints that are all moved about are left as they are.
constexpr int kPosesEach = 12, kPoses = 600;
constexpr int64_t kComparisons = 100'000'000;
// A joint moves if it leaves its place by more than this share of the skeleton's size.
constexpr float kMoves = 0.02f;
// Largest mean distance from its place relative to a carrier: as a share of that relative to the parent, and of the
// skeleton's size. Not zero, since a leg cannot always reach where its foot is put.
constexpr float kFollows = 0.2f, kNear = 0.02f;
// Carriers that a joint follows so much less well than the best are not taken for being nearer: share of the size.
constexpr float kAlike = 0.002f;

// Longest side of the bounding box of the joints at rest.
float SizeOf(const std::vector<Affine3f>& rest) {
  Eigen::AlignedBox3f box;
  for (const Affine3f& model : rest) box.extend(model.translation());
  return box.isEmpty() ? 0 : box.sizes().maxCoeff();
}

// Whether some animation moves the joint relative to its parent, by what its curves say.
std::vector<bool> TranslatedJoints(const Character& character, const std::vector<Affine3f>& rest, float size) {
  const Skeleton& skeleton = character.skeleton;
  std::vector<bool> translated(skeleton.joints.size(), false);
  for (const Animation& animation : character.animations) {
    for (const AnimationCurve& curve : animation.curves) {
      if (curve.joint < 0 || curve.path != AnimationCurve::Path::kTranslation) continue;
      const int parent = skeleton.joints[curve.joint].parent;
      const Eigen::Matrix3f to_model =
          parent < 0 ? Eigen::Matrix3f::Identity() : Eigen::Matrix3f(rest[parent].linear());
      const Vector3f place = ToEigen(skeleton.joints[curve.joint].rest.translation);
      for (size_t k = 0; k + 3 <= curve.values.size(); k += 3) {
        const Vector3f moved = Vector3f(curve.values[k], curve.values[k + 1], curve.values[k + 2]) - place;
        if ((to_model * moved).norm() > kMoves * size) translated[curve.joint] = true;
      }
    }
  }
  return translated;
}

// Model-space transforms of all joints in poses of the animations.
std::vector<std::vector<Affine3f>> PosesOf(const Character& character) {
  std::vector<std::vector<Affine3f>> poses;
  for (const Pose& pose : PosesOfAnimations(character, kPosesEach, kPoses)) {
    poses.push_back(LocalToModel(character.skeleton, pose));
  }
  return poses;
}

class Finder {
 public:
  Finder(const Character& character, std::vector<Affine3f> rest, float size)
      : skeleton_(character.skeleton),
        size_(size),
        rest_(std::move(rest)),
        moves_(JointsThatMoveVertices(character)),
        open_(TranslatedJoints(character, rest_, size)),
        carriers_(skeleton_.joints.size(), -1) {
    // Joints need no carrier if nothing that moves vertices hangs from them, or most of it: then that they are moved
    // about is the motion of the body.
    std::vector<int> below(moves_.begin(), moves_.end());
    for (int j = skeleton_.joint_count() - 1; j >= 0; --j) {
      if (skeleton_.joints[j].parent >= 0) below[skeleton_.joints[j].parent] += below[j];
    }
    const auto all = std::count(moves_.begin(), moves_.end(), true);
    for (int j = 0; j < skeleton_.joint_count(); ++j) open_[j] = open_[j] && below[j] > 0 && 2 * below[j] <= all;
    const int64_t open = std::count(open_.begin(), open_.end(), true);
    if (open > 0 && open * skeleton_.joint_count() * kPoses <= kComparisons) poses_ = PosesOf(character);
    if (poses_.empty()) return;
    // Joints that follow no other joint better belong to their parent: a shoulder that an animation shrugs.
    const std::vector<bool> translated = std::exchange(open_, std::vector<bool>(open_.size(), false));
    std::vector<bool> follows(open_.size(), false);
    for (int j = 0; j < skeleton_.joint_count(); ++j) follows[j] = translated[j] && Nearest(j) >= 0;
    open_ = std::move(follows);
  }

  std::vector<int> Run() {
    // Joints that are themselves moved about carry others only once their own carrier is known, so no cycles arise: a
    // toe is carried by its foot, not the foot by its toe.
    for (bool found = !poses_.empty(); found;) {
      std::vector<int> now;
      for (int j = 0; j < skeleton_.joint_count(); ++j) now.push_back(open_[j] ? Nearest(j) : -1);
      found = false;
      for (int j = 0; j < skeleton_.joint_count(); ++j) {
        if (now[j] < 0) continue;
        carriers_[j] = now[j];
        open_[j] = false;
        found = true;
      }
    }
    return carriers_;
  }

 private:
  // Whether a joint hangs from `top`, by carriers where they are known.
  bool Below(int joint, int top) const {
    for (int steps = 0; joint >= 0 && joint != top; ++steps) {
      if (steps > skeleton_.joint_count()) return true;
      joint = carriers_[joint] >= 0 ? carriers_[joint] : skeleton_.joints[joint].parent;
    }
    return joint == top;
  }
  // Whether a joint or one above it is moved about and has no carrier yet.
  bool Loose(int joint) const {
    for (; joint >= 0; joint = carriers_[joint] >= 0 ? carriers_[joint] : skeleton_.joints[joint].parent) {
      if (open_[joint]) return true;
    }
    return false;
  }

  // Mean distance, over all poses, of the joint from its place at rest relative to another; -1: relative to nothing.
  float Distance(int joint, int other) const {
    const Vector3f place =
        other < 0 ? rest_[joint].translation() : Vector3f(rest_[other].inverse() * rest_[joint].translation());
    double sum = 0;
    for (const std::vector<Affine3f>& models : poses_) {
      const Vector3f stands = other < 0 ? place : Vector3f(models[other] * place);
      sum += (models[joint].translation() - stands).norm();
    }
    return static_cast<float>(sum / static_cast<double>(poses_.size()));
  }

  // Nearest joint at rest among those that the joint follows best, -1 if it follows none.
  int Nearest(int joint) const {
    const float allowed = std::min(kFollows * Distance(joint, skeleton_.joints[joint].parent), kNear * size_);
    std::vector<std::pair<int, float>> followed;
    float best = allowed;
    for (int k = 0; k < skeleton_.joint_count(); ++k) {
      if (!moves_[k] || Below(k, joint) || Loose(k)) continue;
      const float distance = Distance(joint, k);
      if (!(distance <= allowed)) continue;
      followed.emplace_back(k, distance);
      best = std::min(best, distance);
    }
    int nearest = -1;
    float least = 0;
    for (const auto& [k, distance] : followed) {
      if (distance > best + kAlike * size_) continue;
      const float away = (rest_[k].translation() - rest_[joint].translation()).norm();
      if (nearest >= 0 && away >= least) continue;
      nearest = k;
      least = away;
    }
    return nearest;
  }

  const Skeleton& skeleton_;
  const float size_;
  const std::vector<Affine3f> rest_;
  const std::vector<bool> moves_;  // whether a joint moves vertices
  std::vector<bool> open_;         // whether a joint is moved about and its carrier is not known
  std::vector<int> carriers_;
  std::vector<std::vector<Affine3f>> poses_;
};

}  // namespace

std::vector<bool> JointsThatMoveVertices(const Character& character) {
  std::vector<bool> moves(character.skeleton.joints.size(), false);
  for (const Part& part : character.parts) {
    for (size_t i = 0; i < part.weights.weights.size(); ++i) {
      if (part.weights.weights[i] > 0) moves[part.weights.joints[i]] = true;
    }
  }
  return moves;
}

std::vector<int> FindCarriers(const Character& character) {
  std::vector<Affine3f> rest = LocalToModel(character.skeleton, character.skeleton.RestPose());
  const float size = SizeOf(rest);
  if (!(size > 0) || !std::isfinite(size)) return std::vector<int>(rest.size(), -1);
  return Finder(character, std::move(rest), size).Run();
}

bool CarriersLeadToRoots(const Skeleton& skeleton, const std::vector<int>& carriers) {
  // 0: not seen, 1: on the way from the joint that is looked at, 2: leads to a root.
  std::vector<char> state(carriers.size(), 0);
  for (size_t j = 0; j < carriers.size(); ++j) {
    const auto next = [&](int joint) { return carriers[joint] >= 0 ? carriers[joint] : skeleton.joints[joint].parent; };
    int joint = static_cast<int>(j);
    for (; joint >= 0 && state[joint] == 0; joint = next(joint)) state[joint] = 1;
    if (joint >= 0 && state[joint] == 1) return false;
    for (joint = static_cast<int>(j); joint >= 0 && state[joint] == 1; joint = next(joint)) state[joint] = 2;
  }
  return true;
}

}  // namespace sinew
