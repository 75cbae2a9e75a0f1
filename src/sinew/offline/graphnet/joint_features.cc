#include "sinew/offline/graphnet/joint_features.h"

#include <algorithm>

#include "sinew/offline/core/parallel.h"

namespace sinew::graphnet {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr int kPointsAtOnce = 256;

// Linear part of the blend of a point's joints: sum_s w_s R_s.
Matrix3d BlendOf(const Influences& influences, const std::vector<Matrix3d>& turns) {
  if (influences.count == 0) return Matrix3d::Identity();
  Matrix3d sum = Matrix3d::Zero();
  for (int k = 0; k < influences.count; ++k) sum += influences.weights[k] * turns[influences.joints[k]];
  return sum;
}

}  // namespace

std::vector<bool> MovingJoints(const Skeleton& skeleton, const std::vector<Influences>& influences) {
  std::vector<bool> moving(skeleton.joint_count(), false);
  for (const Influences& point : influences) {
    for (int k = 0; k < point.count; ++k) moving[point.joints[k]] = true;
  }
  return moving;
}

std::vector<int> MovingParents(const Skeleton& skeleton, const std::vector<Influences>& influences) {
  const std::vector<bool> moving = MovingJoints(skeleton, influences);
  std::vector<int> parents(skeleton.joint_count(), -1);
  for (int s = 0; s < skeleton.joint_count(); ++s) {
    const int parent = skeleton.joints[s].parent;
    if (parent >= 0) parents[s] = moving[parent] ? parent : parents[parent];
  }
  return parents;
}

int ReferenceJoint(const Skeleton& skeleton, const std::vector<Influences>& influences,
                   const std::vector<float>& areas) {
  const std::vector<int> parents = MovingParents(skeleton, influences);
  std::vector<double> moved(skeleton.joint_count(), 0);
  for (size_t i = 0; i < influences.size(); ++i) {
    for (int k = 0; k < influences[i].count; ++k) moved[influences[i].joints[k]] += influences[i].weights[k] * areas[i];
  }
  int reference = 0;
  double most = 0;
  for (int s = 0; s < skeleton.joint_count(); ++s) {
    if (parents[s] >= 0 || !(moved[s] > most)) continue;
    most = moved[s];
    reference = s;
  }
  return reference;
}

PosedFrames FramesOf(const WorkingSurface& surface, Transforms maps) {
  PosedFrames posed;
  std::vector<flesh::DualQuaternion> joints;
  for (const Eigen::Affine3d& map : maps) {
    joints.push_back(flesh::NearestRigid(map, Vector3d::Zero()));
    posed.turns.push_back(joints.back().real.toRotationMatrix());
  }
  posed.maps = std::move(maps);
  posed.frames.resize(surface.points());
  posed.skinned.resize(3, surface.points());
  ParallelFor(surface.points(), kPointsAtOnce, [&](int i) {
    const Influences& influences = surface.influences[i];
    const Vector3d x = surface.rest.row(i).transpose().cast<double>();
    if (influences.count > 0) posed.frames[i] = flesh::Blend(influences, joints).ToRigid();
    posed.skinned.col(i) = influences.count > 0 ? flesh::BlendLinear(influences, posed.maps, x) : x;
  });
  return posed;
}

JointFeatures::JointFeatures(const Skeleton& skeleton, const WorkingSurface& surface, const Csr& neighbours,
                             const Transforms& rest_joints, const Eigen::MatrixXf& distances, double size,
                             int reference, bool cues)
    : surface_(surface),
      neighbours_(neighbours),
      size_(size),
      cues_(cues),
      reference_(reference),
      parents_(MovingParents(skeleton, surface.influences)),
      rest_(surface.rest.transpose().cast<double>()) {
  for (int i = 0; i < surface.points(); ++i) slots_.push_back(ChooseSlots(i, skeleton, rest_joints, distances));
  normals_ = VertexNormals({surface.rest, surface.triangles});
  if (cues) mush_ = std::make_unique<DeltaMush>(neighbours_, surface_.triangles, rest_);
}

// The joints that move the point, strongest first; then those beside the strongest one in the skeleton, nearest first:
// a muscle moves with the joint at its other end.
std::array<JointFeatures::Slot, JointFeatures::kSlots> JointFeatures::ChooseSlots(
    int point, const Skeleton& skeleton, const Transforms& rest_joints, const Eigen::MatrixXf& distances) const {
  const Influences& influences = surface_.influences[point];
  std::vector<int> chosen;
  std::vector<float> weights;
  for (int k = 0; k < std::min(influences.count, kSlots); ++k) {
    chosen.push_back(influences.joints[k]);
    weights.push_back(static_cast<float>(influences.weights[k]));
  }
  std::vector<int> beside;
  for (int s = 0; s < skeleton.joint_count() && influences.count > 0; ++s) {
    const int strongest = chosen[0];
    const bool near = parents_[s] == strongest || parents_[strongest] == s;
    const bool moves = distances(point, s) >= 0;
    if (near && moves && std::find(chosen.begin(), chosen.end(), s) == chosen.end()) beside.push_back(s);
  }
  std::stable_sort(beside.begin(), beside.end(),
                   [&](int a, int b) { return distances(point, a) < distances(point, b); });
  chosen.insert(chosen.end(), beside.begin(), beside.end());
  weights.resize(chosen.size(), 0.0f);

  std::array<Slot, kSlots> slots;
  for (size_t k = 0; k < std::min<size_t>(kSlots, chosen.size()); ++k) {
    const Vector3d from = (rest_.col(point) - rest_joints[chosen[k]].translation()) / size_;
    slots[k] = {chosen[k], weights[k], distances(point, chosen[k]), from.cast<float>()};
  }
  return slots;
}

// The mirror turns x around. A matrix M becomes S M S with S = diag(-1, 1, 1).
std::vector<float> JointFeatures::MirrorSigns() const {
  std::vector<float> signs;
  const auto add = [&signs](std::initializer_list<float> some) { signs.insert(signs.end(), some); };
  for (int k = 0; k < kSlots; ++k) {
    add({1});                    // weight
    add({1, -1, -1, -1, 1, 1});  // two columns of the rotation
    add({-1, 1, 1, 1});          // vector and distance
  }
  if (!cues_) return signs;
  for (int k = 0; k < 5; ++k) add({-1, 1, 1});
  add({1, 1, 1, -1, 1, -1});  // xx, yy, zz, xy, yz, zx
  return signs;
}

void JointFeatures::Fill(const PosedFrames& posed, learn::RowMatrix& features) const {
  // Rotation of every joint relative to the one above it, as far as it differs from rest.
  Eigen::MatrixXf turned(6, static_cast<Eigen::Index>(posed.turns.size()));
  for (size_t s = 0; s < posed.turns.size(); ++s) {
    const int above = static_cast<int>(s) == reference_ ? reference_ : parents_[s] >= 0 ? parents_[s] : reference_;
    const Matrix3d own = posed.turns[above].transpose() * posed.turns[s] - Matrix3d::Identity();
    turned.col(static_cast<Eigen::Index>(s)) << own.col(0).cast<float>(), own.col(1).cast<float>();
  }
  ParallelFor(surface_.points(), kPointsAtOnce, [&](int i) {
    features.row(i).head(kSlots * kPerSlot).setZero();
    for (int k = 0; k < kSlots; ++k) {
      const Slot& slot = slots_[i][k];
      if (slot.joint < 0) continue;
      auto place = features.row(i).segment(k * kPerSlot, kPerSlot);
      place[0] = slot.weight;
      place.segment(1, 6) = turned.col(slot.joint).transpose();
      place.segment(7, 3) = slot.from_joint.transpose();
      place[10] = slot.distance;
    }
  });
  if (cues_) FillCues(posed, features);
}

Vector3d JointFeatures::LaplacianOf(const Eigen::Matrix3Xd& places, int point) const {
  Vector3d sum = Vector3d::Zero();
  for (const int j : neighbours_[point]) sum += places.col(j) - places.col(point);
  const auto count = static_cast<double>(neighbours_[point].size());
  return count > 0 ? Vector3d(sum / count) : sum;
}

void JointFeatures::FillCues(const PosedFrames& posed, learn::RowMatrix& features) const {
  const Points skinned = posed.skinned.transpose().cast<float>();
  const Points normals = VertexNormals({skinned, surface_.triangles});
  const Eigen::Matrix3Xd mushed = mush_->Apply(posed.skinned);
  ParallelFor(surface_.points(), kPointsAtOnce, [&](int i) {
    const flesh::Rigid& frame = posed.frames[i];
    const auto back = [&](const Vector3d& x) { return (frame.R.transpose() * x).cast<float>().eval(); };
    const auto length = static_cast<float>(size_);
    const Vector3d lbs = posed.skinned.col(i);
    const Matrix3d stretch = frame.R.transpose() * BlendOf(surface_.influences[i], posed.turns) - Matrix3d::Identity();
    const Eigen::Vector3f rest_normal = normals_.row(i).transpose();
    Eigen::Vector3f parts[5] = {
        rest_normal,
        back(normals.row(i).transpose().cast<double>()) - rest_normal,
        back(frame * rest_.col(i) - lbs) / length,  // dual quaternion skinning
        back(mushed.col(i) - lbs) / length,         // Delta Mush
        (back(LaplacianOf(posed.skinned, i)) - LaplacianOf(rest_, i).cast<float>()) / length,
    };
    auto place = features.row(i).segment(kSlots * kPerSlot, kCueColumns);
    for (int k = 0; k < 5; ++k) place.segment(3 * k, 3) = parts[k].transpose();
    // Symmetric part of the blended matrix: by how much, and along which axes, linear blending shrinks.
    constexpr int kFirst[6] = {0, 1, 2, 0, 1, 2}, kSecond[6] = {0, 1, 2, 1, 2, 0};
    for (int k = 0; k < 6; ++k) {
      const int a = kFirst[k], b = kSecond[k];
      place[15 + k] = static_cast<float>((stretch(a, b) + stretch(b, a)) / 2);
    }
  });
}

}  // namespace sinew::graphnet
