#include "sinew/offline/autorig/example.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/offline/bodies/made_body.h"
#include "sinew/offline/character/influences.h"
#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/random.h"

namespace sinew::autorig {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double kDegree = std::numbers::pi / 180;
// The collar's part of lifting an arm, as in people.
constexpr double kCollarShare = 0.25;

enum Joint : int {
  kLeftHip = 1,
  kRightHip = 2,
  kLeftCollar = 13,
  kRightCollar = 14,
  kLeftShoulder = 16,
  kRightShoulder = 17,
  kLeftElbow = 18,
  kRightElbow = 19
};

// Turns joints of a pose about axes of the body.
class Stance {
 public:
  Stance(const Skeleton& skeleton, Pose pose, const std::array<int, kJoints>& joints)
      : skeleton_(skeleton), pose_(std::move(pose)), joints_(joints) {}

  void Turn(Joint joint, const Vector3d& axis, double degrees) {
    const int index = joints_[joint];
    const int parent = skeleton_.joints[index].parent;
    const std::vector<Eigen::Affine3f> places = LocalToModel(skeleton_, pose_);
    const Quaterniond above =
        parent < 0 ? Quaterniond::Identity() : Quaterniond(places[parent].rotation().cast<double>());
    const Quaterniond local = ToEigen(pose_[index].rotation).cast<double>();
    // The turn in the parent's frame that is the wanted one in the model's.
    const Quaterniond turn(Eigen::AngleAxisd(degrees * kDegree, axis));
    pose_[index].rotation = ToQuaternion((above.inverse() * turn * above * local).normalized().cast<float>());
  }
  const Pose& pose() const { return pose_; }

 private:
  const Skeleton& skeleton_;
  Pose pose_;
  const std::array<int, kJoints>& joints_;
};

Pose DrawStance(const Character& character, const std::array<int, kJoints>& joints, const StanceRange& range,
                Random& random) {
  Stance stance(character.skeleton, MainBindPose(character), joints);
  const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), z = Vector3d::UnitZ();
  const double down = random.Uniform(0, range.arms_down), apart = random.Uniform(0, range.legs_apart);
  const double bent = random.Uniform(0, range.elbows), forward = random.Uniform(-range.elbows, range.elbows);
  const auto both = [&](Joint left, Joint right, const Vector3d& axis, double degrees) {
    stance.Turn(left, axis, degrees);
    // The mirror image of a turn about x is the same, about y and z the opposite.
    stance.Turn(right, axis, axis == x ? degrees : -degrees);
  };
  both(kLeftCollar, kRightCollar, z, -kCollarShare * down);
  both(kLeftShoulder, kRightShoulder, z, -(1 - kCollarShare) * down);
  both(kLeftShoulder, kRightShoulder, y, -forward / 2);
  both(kLeftElbow, kRightElbow, y, -bent);
  both(kLeftHip, kRightHip, z, apart);
  return stance.pose();
}

Matrix3d DrawTurn(const StanceRange& range, Random& random) {
  Vector3d axis(random.Normal(), random.Normal(), random.Normal());
  if (axis.isZero()) axis = Vector3d::UnitY();
  return Eigen::AngleAxisd(random.Uniform(0, range.turn) * kDegree, axis.normalized()).toRotationMatrix();
}

// For every joint of a skeleton the joint of BipedJoints() that takes its weights.
std::vector<int> Takers(const Skeleton& skeleton, const std::array<int, kJoints>& joints) {
  std::vector<int> takers(skeleton.joint_count(), 0);
  for (int index = 0; index < skeleton.joint_count(); ++index) {
    const auto own = std::find(joints.begin(), joints.end(), index);
    const int parent = skeleton.joints[index].parent;
    if (own != joints.end()) {
      takers[index] = static_cast<int>(own - joints.begin());
    } else if (parent >= 0) {
      takers[index] = takers[parent];
    }
  }
  return takers;
}

}  // namespace

RowMatrix BipedWeights(const Character& character, const std::string& file) {
  const std::vector<int> takers = Takers(character.skeleton, FindBipedJoints(character.skeleton, file));
  RowMatrix weights = RowMatrix::Zero(character.vertex_count(), kJoints);
  int row = 0;
  for (const Part& part : character.parts) {
    for (int v = 0; v < part.mesh.vertex_count(); ++v, ++row) {
      if (part.weights.empty()) continue;
      const Influences influences = InfluencesOf(part.weights, v);
      for (int i = 0; i < influences.count; ++i) {
        weights(row, takers[influences.joints[i]]) += static_cast<float>(influences.weights[i]);
      }
    }
  }
  return weights;
}

Example MakeExample(const Character& character, const StanceRange& range, uint64_t seed, const std::string& file) {
  const std::array<int, kJoints> joints = FindBipedJoints(character.skeleton, file);
  Random random(seed);
  const Pose pose = DrawStance(character, joints, range, random);
  TriMesh posed = bodies::SourceSurface(character, file);
  posed.positions = SkinnedShape(character, pose);
  const Matrix3d turn = DrawTurn(range, random);
  // Evenly in the logarithm, so that the network knows coarse and fine surfaces alike.
  const double share = random.Uniform();
  const int vertices = static_cast<int>(kCoarseVertices * std::pow(double{kWorkingVertices} / kCoarseVertices, share));
  const WorkingSurface working = MakeWorkingSurface(posed, range.coarse ? vertices : kWorkingVertices, seed, file);
  const BodyFrame frame = MeasureFrame(working.mesh, turn);

  Example example;
  example.surface = {frame.PointsToCanonical(working.mesh.positions), working.mesh.triangles};
  example.input = MakeEdgeInput(example.surface);
  const Eigen::MatrixXd at_vertices =
      Interpolate(working.map, posed.triangles, BipedWeights(character, file).cast<double>());
  const auto edges = static_cast<Eigen::Index>(example.input.ends.size());
  example.weights.resize(edges, kJoints);
  for (Eigen::Index e = 0; e < edges; ++e) {
    const auto [a, b] = example.input.ends[e];
    example.weights.row(e) = ((at_vertices.row(a) + at_vertices.row(b)) / 2).cast<float>();
  }
  const std::vector<Eigen::Affine3f> places = LocalToModel(character.skeleton, pose);
  for (int j = 0; j < kJoints; ++j) {
    example.joints.row(j) = frame.ToCanonical(places[joints[j]].translation().cast<double>()).transpose();
  }
  return example;
}

}  // namespace sinew::autorig
