#include "sinew/offline/autorig/example.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "sinew/offline/autorig/proportions.h"
#include "sinew/offline/bodies/made_body.h"
#include "sinew/offline/character/influences.h"
#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/random.h"

namespace sinew::autorig {
namespace {

using Eigen::Matrix3d;
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

Matrix3d TurnBy(const Vector3d& axis, double degrees) {
  return Eigen::AngleAxisd(degrees * kDegree, axis).toRotationMatrix();
}

Vector3d DrawAxis(Random& random) {
  const Vector3d axis{random.Normal(), random.Normal(), random.Normal()};
  return axis.isZero() ? Vector3d::UnitY() : axis.normalized();
}

// About any axis, by up to so many degrees.
Matrix3d DrawTurn(double most, Random& random) {
  const Vector3d axis = DrawAxis(random);
  return TurnBy(axis, random.Uniform(0, most));
}

// Turns of all joints about axes of the body, beyond those of their parents.
std::array<Matrix3d, kJoints> DrawTurns(const StanceRange& range, Random& random) {
  std::array<Matrix3d, kJoints> turns;
  turns.fill(Matrix3d::Identity());
  const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), z = Vector3d::UnitZ();
  const double down = random.Uniform(range.least * range.arms_down, range.arms_down);
  const double apart = random.Uniform(range.least * range.legs_apart, range.legs_apart);
  const double bent = random.Uniform(0, range.elbows), forward = random.Uniform(-range.elbows, range.elbows);
  const auto both = [&](Joint left, Joint right, const Vector3d& axis, double degrees) {
    turns[left] = TurnBy(axis, degrees) * turns[left];
    // The mirror image of a turn about x is the same, about y and z the opposite.
    turns[right] = TurnBy(axis, axis == x ? degrees : -degrees) * turns[right];
  };
  both(kLeftCollar, kRightCollar, z, -kCollarShare * down);
  both(kLeftShoulder, kRightShoulder, z, -(1 - kCollarShare) * down);
  both(kLeftShoulder, kRightShoulder, y, -forward / 2);
  both(kLeftElbow, kRightElbow, y, -bent);
  both(kLeftHip, kRightHip, z, apart);
  if (range.wander > 0) {
    for (int j = 1; j < kJoints; ++j) turns[j] = DrawTurn(range.wander, random) * turns[j];
  }
  return turns;
}

// The body in a drawn stance, by linear blend skinning.
struct Standing {
  Points positions;
  JointPositions joints;
};

// Other proportions of the body, or nothing if it keeps its own.
std::optional<Proportions> DrawProportions(const JointPositions& joints, const StanceRange& range, Random& random) {
  if (range.chibi > 0 && random.Uniform() < range.chibi) return Proportions::Chibi(joints, random);
  if (range.proportions > 0 && random.Uniform() < 0.5) return Proportions(joints, range.proportions, random);
  return std::nullopt;
}

Standing PutInStance(const WeightedBody& body, const StanceRange& range, Random& random) {
  Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor> rest = body.surface.positions.cast<double>();
  Standing standing{{}, body.joints};
  if (const auto proportions = DrawProportions(body.joints, range, random)) {
    for (Eigen::Index v = 0; v < rest.rows(); ++v) rest.row(v) = proportions->Apply(rest.row(v).transpose());
    for (int j = 0; j < kJoints; ++j) standing.joints.row(j) = proportions->Apply(standing.joints.row(j).transpose());
  }
  const std::array<Matrix3d, kJoints> turns = DrawTurns(range, random);
  // Per joint: its whole turn beside its translation, so that a row of both times a point and 1 is the posed point.
  const JointPositions bind = standing.joints;
  std::array<Matrix3d, kJoints> whole;
  Eigen::Matrix<float, kJoints, 12, Eigen::RowMajor> transforms;
  for (int j = 0; j < kJoints; ++j) {
    const int parent = BipedJoints()[j].parent;
    whole[j] = parent < 0 ? turns[j] : Matrix3d(turns[j] * whole[parent]);
    if (parent >= 0) {
      const Vector3d bone = (bind.row(j) - bind.row(parent)).transpose();
      standing.joints.row(j) = standing.joints.row(parent) + (whole[parent] * bone).transpose();
    }
    const Vector3d move = standing.joints.row(j).transpose() - whole[j] * bind.row(j).transpose();
    Eigen::Matrix<double, 3, 4, Eigen::RowMajor> transform;
    transform << whole[j], move;
    transforms.row(j) = Eigen::Map<const Eigen::Matrix<double, 1, 12>>(transform.data()).cast<float>();
  }
  standing.positions.resize(rest.rows(), 3);
  for (Eigen::Index v = 0; v < rest.rows(); ++v) {
    const Eigen::Matrix<float, 1, 12> blended = body.weights.row(v) * transforms;
    const Eigen::Map<const Eigen::Matrix<float, 3, 4, Eigen::RowMajor>> transform(blended.data());
    standing.positions.row(v) = (transform * rest.row(v).cast<float>().transpose().homogeneous()).transpose();
  }
  return standing;
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

RowMatrix EdgeWeights(const SurfaceEdges& edges, const RowMatrix& weights) {
  RowMatrix result(edges.count(), kJoints);
  for (int e = 0; e < edges.count(); ++e) {
    const auto [a, b] = edges.ends[e];
    result.row(e) = (weights.row(a) + weights.row(b)) / 2;
  }
  return result;
}

// Puts a surface and its joints into canonical space, turned by a little.
Example Frame(TriMesh surface, const JointPositions& joints, const StanceRange& range, Random& random) {
  const Matrix3d turn = DrawTurn(range.turn, random);
  const BodyFrame frame = MeasureFrame(surface, turn);
  Example example;
  example.surface = std::move(surface);
  example.surface.positions = frame.PointsToCanonical(example.surface.positions);
  for (int j = 0; j < kJoints; ++j) example.joints.row(j) = frame.ToCanonical(joints.row(j).transpose()).transpose();
  example.seed = random.Bits();
  return example;
}

}  // namespace

StanceRange TrainingStances() {
  return {.arms_down = 65,
          .legs_apart = 18,
          .elbows = 20,
          .turn = 12,
          .wander = 6,
          .proportions = 0.25,
          .chibi = 0.2,
          .costumes = 0.4};
}

StanceRange ValidationStances() {
  StanceRange range;
  range.chibi = TrainingStances().chibi;
  range.costumes = TrainingStances().costumes;
  return range;
}

StanceRange UprightStance() { return {.arms_down = 0, .legs_apart = 0, .elbows = 0, .turn = 0}; }

RowMatrix BipedWeights(const Character& character, const std::array<int, kJoints>& joints) {
  const std::vector<int> takers = Takers(character.skeleton, joints);
  RowMatrix weights = RowMatrix::Zero(character.vertex_count(), kJoints);
  int row = 0;
  for (const Part& part : character.parts) {
    for (int v = 0; v < part.mesh.vertex_count(); ++v, ++row) {
      if (!part.weights.empty()) {
        const Influences influences = InfluencesOf(part.weights, v);
        for (int i = 0; i < influences.count; ++i) {
          weights(row, takers[influences.joints[i]]) += static_cast<float>(influences.weights[i]);
        }
      }
      const float sum = weights.row(row).sum();
      if (sum > 0) {
        weights.row(row) /= sum;
      } else {
        weights(row, 0) = 1;
      }
    }
  }
  return weights;
}

WeightedBody MakeWeightedBody(const Character& character, const std::string& file) {
  const std::array<int, kJoints> joints = FindBipedJoints(character.skeleton, file);
  const Pose pose = MainBindPose(character);
  WeightedBody body;
  body.surface = bodies::SourceSurface(character, file);
  body.surface.positions = SkinnedShape(character, pose);
  body.weights = BipedWeights(character, joints);
  const std::vector<Eigen::Affine3f> places = LocalToModel(character.skeleton, pose);
  for (int j = 0; j < kJoints; ++j) {
    body.joints.row(j) = places[joints[j]].translation().cast<double>().transpose();
  }
  return body;
}

WeightedBody Remesh(const WeightedBody& body, int vertices, uint64_t seed, const std::string& file) {
  WorkingSurface working = MakeWorkingSurface(body.surface, vertices, seed, file);
  WeightedBody remeshed{std::move(working.mesh), {}, body.joints};
  remeshed.weights = Interpolate(working.map, body.surface.triangles, body.weights.cast<double>()).cast<float>();
  return remeshed;
}

WeightedBody Remesh(const WeightedBody& body, const WorkingSurface& working) {
  const auto carry = [&](const Eigen::MatrixXd& values) {
    return Interpolate(working.map, body.surface.triangles, values);
  };
  return {{carry(body.surface.positions.cast<double>()).cast<float>(), working.mesh.triangles},
          carry(body.weights.cast<double>()).cast<float>(),
          body.joints};
}

WeightedBody Stand(const WeightedBody& body, const StanceRange& range, uint64_t seed) {
  Random random(seed);
  Standing standing = PutInStance(body, range, random);
  return {{std::move(standing.positions), body.surface.triangles}, body.weights, standing.joints};
}

ExampleMaker::ExampleMaker(WeightedBody body) : body_(std::move(body)), edges_(MakeSurfaceEdges(body_.surface)) {
  const auto mirrored = [](const RowMatrix& weights) {
    RowMatrix image(weights.rows(), kJoints);
    for (int j = 0; j < kJoints; ++j) image.col(j) = weights.col(BipedJoints()[j].mirrored);
    return image;
  };
  weights_ = {std::make_shared<RowMatrix>(EdgeWeights(*edges_, body_.weights)),
              std::make_shared<RowMatrix>(body_.weights)};
  mirrored_weights_ = {std::make_shared<RowMatrix>(mirrored(*weights_.edges)),
                       std::make_shared<RowMatrix>(mirrored(*weights_.vertices))};
}

Example ExampleMaker::Make(const StanceRange& range, uint64_t seed) const {
  Random random(seed);
  Standing standing = PutInStance(body_, range, random);
  Example example = Frame({std::move(standing.positions), body_.surface.triangles}, standing.joints, range, random);
  example.input = MakeEdgeInput(example.surface, edges_);
  example.weights = weights_.edges;
  example.vertex_weights = weights_.vertices;
  if (random.Uniform() < 0.5) return example;
  // The mirror image. Rings stay as they are, as when a network looks at both.
  example.input = Mirrored(example.input);
  example.weights = mirrored_weights_.edges;
  example.vertex_weights = mirrored_weights_.vertices;
  example.surface.positions.col(0) *= -1;
  example.surface.triangles.col(1).swap(example.surface.triangles.col(2));
  const JointPositions joints = example.joints;
  for (int j = 0; j < kJoints; ++j) {
    example.joints.row(j) = joints.row(BipedJoints()[j].mirrored).cwiseProduct(Eigen::RowVector3d(-1, 1, 1));
  }
  return example;
}

Example MakeExample(const WeightedBody& body, const StanceRange& range, int vertices, uint64_t seed,
                    const std::string& file) {
  Random random(seed);
  Standing standing = PutInStance(body, range, random);
  const WeightedBody posed = Remesh(
      {{std::move(standing.positions), body.surface.triangles}, body.weights, standing.joints}, vertices, seed, file);
  Example example = Frame(posed.surface, posed.joints, range, random);
  example.input = MakeEdgeInput(example.surface, MakeSurfaceEdges(example.surface));
  example.weights = std::make_shared<RowMatrix>(EdgeWeights(*example.input.edges, posed.weights));
  example.vertex_weights = std::make_shared<RowMatrix>(posed.weights);
  return example;
}

}  // namespace sinew::autorig
