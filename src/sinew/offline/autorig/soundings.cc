#include "sinew/offline/autorig/soundings.h"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

namespace sinew::autorig {
namespace {

constexpr float kFarthest = 0.25F;  // distance that counts as none, in heights
constexpr double kParallel = 0.05;  // sine of the angle below which two directions are one

// Joint that a joint's own bone leads to, or the joint itself where its bone is that from its parent.
constexpr std::array<int, kJoints> kNext = {3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 10, 11,
                                            15, 16, 17, 15, 18, 19, 20, 21, 22, 23, 22, 23};
constexpr int kFirstOfArms = 13, kHead = 15;

bool IsOfArm(int joint) { return joint >= kFirstOfArms && joint != kHead; }

// Faces, edges and corners of a cube.
std::array<Eigen::Vector3d, kJointRays> RaysOfJoint() {
  std::array<Eigen::Vector3d, kJointRays> rays;
  int count = 0;
  for (int x = -1; x <= 1; ++x) {
    for (int y = -1; y <= 1; ++y) {
      for (int z = -1; z <= 1; ++z) {
        if (x != 0 || y != 0 || z != 0) rays[count++] = Eigen::Vector3d(x, y, z).normalized();
      }
    }
  }
  return rays;
}

std::array<Eigen::Vector3d, kBoneRays> RaysOfBone() {
  std::array<Eigen::Vector3d, kBoneRays> rays;
  for (int k = 0; k < kBoneRays; ++k) {
    const double angle = 2 * std::numbers::pi * k / kBoneRays;
    rays[k] = {std::cos(angle), std::sin(angle), 0};
  }
  return rays;
}

// Axes around a direction. The first one is as near to the front as it can be in arms, and to the left elsewhere.
Eigen::Matrix3d AxesAlong(const Eigen::Vector3d& direction, bool arm) {
  const Eigen::Vector3d along = direction.norm() > 0 ? direction.normalized() : Eigen::Vector3d::UnitY();
  Eigen::Vector3d first = arm ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d::UnitX();
  if (first.cross(along).norm() < kParallel) first = Eigen::Vector3d::UnitY();
  first = (first - along * along.dot(first)).normalized();
  Eigen::Matrix3d axes;
  axes << first, along.cross(first), along;
  return axes;
}

}  // namespace

JointPositions JointsInView(const JointPositions& joints, const BodyFrame& frame, bool mirrored) {
  JointPositions in_view;
  for (int j = 0; j < kJoints; ++j) {
    const int from = mirrored ? BipedJoints()[j].mirrored : j;
    in_view.row(j) = frame.ToCanonical(joints.row(from).transpose()).transpose();
    if (mirrored) in_view(j, 0) *= -1;
  }
  return in_view;
}

std::array<Eigen::Matrix3d, kJoints> JointAxes(const JointPositions& in_view) {
  std::array<Eigen::Matrix3d, kJoints> axes;
  for (int j = 0; j < kJoints; ++j) {
    const int next = kNext[j], from = next == j ? BipedJoints()[j].parent : j;
    axes[j] = AxesAlong((in_view.row(next) - in_view.row(from)).transpose(), IsOfArm(j));
  }
  return axes;
}

std::vector<float> TakeSoundings(const SurfaceQuery& surface, const JointPositions& joints, const BodyFrame& frame,
                                 bool mirrored) {
  static const std::array<Eigen::Vector3d, kJointRays> joint_rays = RaysOfJoint();
  static const std::array<Eigen::Vector3d, kBoneRays> bone_rays = RaysOfBone();
  const JointPositions in_view = JointsInView(joints, frame, mirrored);
  const std::array<Eigen::Matrix3d, kJoints> axes = JointAxes(in_view);
  std::vector<float> soundings;
  soundings.reserve(kSoundings);
  for (const double value : in_view.reshaped<Eigen::RowMajor>()) soundings.push_back(static_cast<float>(value));

  const Eigen::Vector3d flip(mirrored ? -1 : 1, 1, 1);
  const auto sound = [&](const Eigen::Vector3d& from, const Eigen::Vector3d& direction) {
    const Eigen::Vector3d origin = frame.ToFile(from.cwiseProduct(flip));
    const Eigen::Vector3d ray = frame.height * (frame.turn.transpose() * direction.cwiseProduct(flip));
    const auto hit = surface.Shoot(origin.cast<float>(), ray.cast<float>(), 0, kFarthest);
    soundings.push_back(hit ? static_cast<float>(hit->distance) : kFarthest);
  };
  for (int j = 0; j < kJoints; ++j) {
    for (const Eigen::Vector3d& ray : joint_rays) sound(in_view.row(j).transpose(), axes[j] * ray);
  }
  for (int j = 1; j < kJoints; ++j) {
    const Eigen::Vector3d from = in_view.row(BipedJoints()[j].parent).transpose(), to = in_view.row(j).transpose();
    const Eigen::Matrix3d along = AxesAlong(to - from, IsOfArm(j));
    for (int place = 1; place <= kBonePlaces; ++place) {
      const double share = static_cast<double>(place) / (kBonePlaces + 1);
      for (const Eigen::Vector3d& ray : bone_rays) sound(from + share * (to - from), along * ray);
    }
  }
  return soundings;
}

}  // namespace sinew::autorig
