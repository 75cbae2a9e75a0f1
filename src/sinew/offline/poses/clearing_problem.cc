#include "sinew/offline/poses/clearing_problem.h"

#include <algorithm>
#include <cmath>

namespace sinew::poses {
namespace {

using Eigen::Affine3d;
using Eigen::MatrixXd;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Penalty stiffnesses k of overlaps (depths as fractions of the body's size) and l of limits (radians), relative to
// joint weights of at most 1: so stiff that the remaining violation of either is far below the tolerance.
constexpr double kOverlapStiffness = 10000;
constexpr double kLimitStiffness = 100;
// Smallest weight of a joint, as a fraction of the largest.
constexpr double kLightest = 0.02;
// Poses taken from each animation, and from all together at most.
constexpr int kPosesEach = 12, kPoses = 600;

Vector3d ToVector(const SwingTwist& angles) { return {angles.bend, angles.side, angles.twist}; }
SwingTwist ToAngles(const Vector3d& v) { return {v[0], v[1], v[2]}; }

std::vector<Affine3d> Models(const Skeleton& skeleton, const Pose& pose) {
  std::vector<Affine3d> models;
  for (const Eigen::Affine3f& model : LocalToModel(skeleton, pose)) models.push_back(model.cast<double>());
  return models;
}

// Overlaps of the character's body, beyond those of its own poses.
BodyOverlap MakeOverlap(const Character& character, const RestBody& rest, const JointLimits& limits,
                        const ClearOptions& options) {
  const Skeleton& skeleton = character.skeleton;
  BodyOverlap overlap(options.body ? *options.body : FindBodySpheres(character), rest,
                      Models(skeleton, skeleton.RestPose()), limits);
  std::vector<std::vector<Affine3d>> poses;
  for (const Pose& pose : options.own_poses ? *options.own_poses : PosesOfAnimations(character, kPosesEach, kPoses)) {
    if (IsFinite(pose)) poses.push_back(Models(skeleton, pose));
  }
  overlap.Allow(poses);
  return overlap;
}

// Returns per joint the square root of the moment of inertia of the flesh that it turns, about the joint, scaled such
// that the largest is 1.
std::vector<double> JointWeights(const BodySpheres& body, const RestBody& rest) {
  std::vector<double> weights(rest.joint_count(), 0);
  for (const BodySphere& sphere : body.spheres) {
    for (int i = 0; i < sphere.influences.count; ++i) {
      for (int j = sphere.influences.joints[i]; j >= 0; j = rest.parents[j]) {
        weights[j] +=
            sphere.influences.weights[i] * sphere.volume * (sphere.centre_rest - rest.positions[j]).squaredNorm();
      }
    }
  }
  const double most = *std::max_element(weights.begin(), weights.end());
  for (double& weight : weights) weight = most > 0 ? std::max(kLightest, std::sqrt(weight / most)) : 1;
  return weights;
}

// Whether the angles are inside the limit. Far cheaper than their distance to the boundary, and nearly always true.
bool IsSurelyInside(const JointLimit& limit, const SwingTwist& angles) {
  const double a = angles.bend < 0 ? -limit.bend.min : limit.bend.max;
  const double b = angles.side < 0 ? -limit.side.min : limit.side.max;
  const double x = angles.bend == 0 ? 0 : angles.bend / a, y = angles.side == 0 ? 0 : angles.side / b;
  return x * x + y * y <= 1 && angles.twist >= limit.twist.min && angles.twist <= limit.twist.max;
}

}  // namespace

ClearingModel::ClearingModel(const Character& character, const Articulation& how_it_moves, const JointLimits& how_far,
                             const ClearOptions& how_clear)
    : articulation(how_it_moves),
      limits(how_far),
      options(how_clear),
      overlap(MakeOverlap(character, articulation.body(), limits, options)) {
  const std::vector<double> joint_weights = JointWeights(overlap.body(), articulation.body());
  angle_of.assign(limits.size(), {-1, -1, -1});
  std::vector<double> per_angle;
  for (size_t j = 0; j < limits.size(); ++j) {
    const AngleRange* ranges[] = {&limits[j].bend, &limits[j].side, &limits[j].twist};
    for (int c = 0; c < 3; ++c) {
      if (limits[j].free || ranges[c]->width() <= 0) continue;
      angle_of[j][c] = angle_count();
      angles.push_back({static_cast<int>(j), c});
      per_angle.push_back(joint_weights[j]);
    }
  }
  weights = Eigen::Map<const VectorXd>(per_angle.data(), angle_count());
}

ClearingProblem::ClearingProblem(const ClearingModel& model, const Pose& pose)
    : model_(model), pose_(pose), deltas_(model.articulation.Deltas(pose)) {
  const RestBody& body = model_.articulation.body();
  const Skeleton& skeleton = model_.articulation.skeleton();
  const int joints = body.joint_count();
  const std::vector<Eigen::Affine3f> models = LocalToModel(skeleton, pose);
  for (int j = 0; j < joints; ++j) {
    swing_twist_.push_back(ToSwingTwist(model_.limits[j], deltas_[j]));
    outside_.push_back(std::max(0.0, Outside(model_.limits[j], swing_twist_[j])));
    const int parent = body.parents[j];
    const bool own = parent == skeleton.joints[j].parent;
    locals_.push_back(own ? pose[j] : ToTransform(parent < 0 ? models[j] : models[parent].inverse() * models[j]));
  }
  start_.resize(model_.angle_count());
  for (int i = 0; i < model_.angle_count(); ++i) {
    start_[i] = ToVector(swing_twist_[model_.angles[i].joint])[model_.angles[i].component];
  }
  models_.resize(joints);
  turns_.resize(joints);
  torques_.assign(joints, Vector3d::Zero());
}

VectorXd ClearingProblem::Rest() const {
  VectorXd q(model_.angle_count());
  for (int i = 0; i < model_.angle_count(); ++i) {
    const auto [joint, component] = model_.angles[i];
    q[i] = ToVector(ToSwingTwist(model_.limits[joint], Quaterniond::Identity()))[component];
  }
  return q;
}

bool ClearingProblem::Moved(int joint, const VectorXd& q) const {
  for (const int i : model_.angle_of[joint]) {
    if (i >= 0 && q[i] != start_[i]) return true;
  }
  return false;
}

SwingTwist ClearingProblem::AnglesOf(int joint, const VectorXd& q) const {
  Vector3d angles = ToVector(swing_twist_[joint]);
  for (int c = 0; c < 3; ++c) {
    if (model_.angle_of[joint][c] >= 0) angles[c] = q[model_.angle_of[joint][c]];
  }
  return ToAngles(angles);
}

Quaterniond ClearingProblem::DeltaOf(int joint, const VectorXd& q) const {
  return Moved(joint, q) ? FromSwingTwist(model_.limits[joint], AnglesOf(joint, q)) : deltas_[joint];
}

double ClearingProblem::Excess(int joint, const SwingTwist& angles, Vector3d& outward) const {
  const JointLimit& limit = model_.limits[joint];
  if (limit.free || IsSurelyInside(limit, angles)) return 0;
  outward = ToVector(angles) - ToVector(Clamp(limit, angles));
  const double distance = outward.norm();
  constexpr double kRounding = 1e-7;
  if (distance <= outside_[joint] + kRounding) return 0;
  outward /= distance;
  return distance - outside_[joint];
}

bool ClearingProblem::BringInside(int joint, VectorXd& q) const {
  Vector3d outward;
  const double excess = Excess(joint, AnglesOf(joint, q), outward);
  if (excess <= 0) return true;
  for (int c = 0; c < 3; ++c) {
    const int i = model_.angle_of[joint][c];
    if (i >= 0) q[i] -= excess * outward[c];
  }
  return false;
}

VectorXd ClearingProblem::Inside(const VectorXd& q) const {
  VectorXd inside = q;
  for (int j = 0; j < static_cast<int>(swing_twist_.size()); ++j) {
    if (!Moved(j, q)) continue;
    // One step may not be enough if angles that may not change are outside. After kTries steps, bisect towards the
    // start, which is sure to lead inside because the allowed region is convex.
    constexpr int kTries = 4, kHalvings = 24;
    bool is_inside = false;
    for (int i = 0; i < kTries && !is_inside; ++i) is_inside = BringInside(j, inside);
    for (int i = 0; i < kHalvings && !is_inside; ++i) {
      Vector3d outward;
      is_inside = Excess(j, AnglesOf(j, inside), outward) <= 0;
      for (const int k : model_.angle_of[j]) {
        if (k >= 0 && !is_inside) inside[k] = 0.5 * (inside[k] + start_[k]);
      }
    }
  }
  return inside;
}

Pose ClearingProblem::ToPose(const VectorXd& q) const {
  std::vector<Quaterniond> deltas = deltas_;
  std::vector<bool> moved(deltas.size(), false);
  for (size_t j = 0; j < deltas.size(); ++j) {
    moved[j] = Moved(static_cast<int>(j), q);
    deltas[j] = DeltaOf(static_cast<int>(j), q);
  }
  return model_.articulation.WithDeltas(pose_, deltas, moved);
}

double ClearingProblem::LargestTurn(const VectorXd& q) const {
  double most = 0;
  for (size_t j = 0; j < deltas_.size(); ++j) {
    most = std::max(most, deltas_[j].angularDistance(DeltaOf(static_cast<int>(j), q)));
  }
  return most;
}

void ClearingProblem::Place(const VectorXd& q) {
  const RestBody& body = model_.articulation.body();
  for (const int j : body.order) {
    const int parent = body.parents[j];
    const Transform& local = locals_[j];
    // locals_ and deltas_ are both relative to the anatomical parent, so replacing the delta gives the local rotation.
    const Quaterniond rotation =
        Moved(j, q) ? (ToEigen(local.rotation).cast<double>() * deltas_[j].conjugate() * DeltaOf(j, q)).normalized()
                    : ToEigen(local.rotation).cast<double>();
    Affine3d placed = Eigen::Translation3d(ToEigen(local.translation).cast<double>()) * rotation;
    if (parent >= 0) placed = models_[parent] * placed;
    turns_[j] = placed.linear() / std::max(1e-30, placed.linear().col(0).norm());
    models_[j] = placed * Eigen::Scaling(Vector3d(ToEigen(local.scale).cast<double>()));
  }
  model_.overlap.Place(models_, centres_);
}

double ClearingProblem::Depth(const VectorXd& q) {
  Place(q);
  model_.overlap.Find(centres_, 0, overlaps_);
  double depth = 0;
  for (const SphereOverlap& overlap : overlaps_) depth = std::max(depth, overlap.depth);
  return depth;
}

double ClearingProblem::Penalty(const VectorXd& q) {
  Place(q);
  model_.overlap.Find(centres_, model_.target(), overlaps_);
  double sum = 0;
  for (const SphereOverlap& overlap : overlaps_) {
    const double depth = overlap.depth - model_.target();
    sum += 0.5 * kOverlapStiffness * depth * depth;
  }
  for (size_t j = 0; j < swing_twist_.size(); ++j) {
    Vector3d outward;
    const double excess = Excess(static_cast<int>(j), AnglesOf(static_cast<int>(j), q), outward);
    sum += 0.5 * kLimitStiffness * excess * excess;
  }
  return sum;
}

double ClearingProblem::Value(const VectorXd& q, const VectorXd& wanted) {
  return 0.5 * (q - wanted).cwiseAbs2().dot(model_.weights) + Penalty(q);
}

// A small rotation w of joint j moves a point y that it carries by w x (y - p_j). The distance of the centres of a and
// b along n then increases by n . (w x (y_a - p_j)) = w . ((y_a - p_j) x n), minus the same expression for b.
void ClearingProblem::AddTorques(const SphereOverlap& overlap) {
  const RestBody& body = model_.articulation.body();
  for (const int s : {overlap.a, overlap.b}) {
    const BodySphere& sphere = model_.overlap.body().spheres[s];
    const Vector3d away = s == overlap.a ? overlap.away : Vector3d(-overlap.away);
    for (int i = 0; i < sphere.influences.count; ++i) {
      const Vector3d y = model_.overlap.PlacedBy(s, i, models_);
      for (int j = sphere.influences.joints[i]; j >= 0; j = body.parents[j]) {
        torques_[j] += sphere.influences.weights[i] * (y - models_[j].translation()).cross(away);
        turned_.push_back(j);
      }
    }
  }
  std::sort(turned_.begin(), turned_.end());
  turned_.erase(std::unique(turned_.begin(), turned_.end()), turned_.end());
}

void ClearingProblem::AddOverlaps(const VectorXd& q, VectorXd& gradient, MatrixXd& matrix) {
  Place(q);
  model_.overlap.Find(centres_, model_.target(), overlaps_);
  // Find the axis in model space about which each angle turns its joint, by central differences: delta(q + h) is
  // delta(q) rotated by h about it.
  constexpr double kStep = 1e-5;
  std::vector<Vector3d> axes(model_.angle_count());
  for (int i = 0; i < model_.angle_count() && !overlaps_.empty(); ++i) {
    const auto [joint, component] = model_.angles[i];
    Vector3d before = ToVector(AnglesOf(joint, q)), after = before;
    before[component] -= kStep, after[component] += kStep;
    Quaterniond turn = FromSwingTwist(model_.limits[joint], ToAngles(before)).conjugate() *
                       FromSwingTwist(model_.limits[joint], ToAngles(after));
    if (turn.w() < 0) turn.coeffs() = -turn.coeffs();
    axes[i] = turns_[joint] * turn.vec() / kStep;
  }
  // Add the penalty of each overlap: gradient and outer product of the derivative of its depth.
  const double size = model_.overlap.body().size;
  std::vector<std::pair<int, double>> derivative;  // of the depth: (angle, value)
  for (const SphereOverlap& overlap : overlaps_) {
    AddTorques(overlap);
    derivative.clear();
    for (const int j : turned_) {
      for (const int i : model_.angle_of[j]) {
        if (i >= 0) derivative.emplace_back(i, -axes[i].dot(torques_[j]) / size);
      }
      torques_[j].setZero();
    }
    turned_.clear();
    const double depth = overlap.depth - model_.target();
    for (const auto& [i, di] : derivative) gradient[i] += kOverlapStiffness * depth * di;
    // The lower half, down the columns: with hundreds of joints this is most of the work.
    for (size_t c = 0; c < derivative.size(); ++c) {
      const auto [k, dk] = derivative[c];
      double* column = matrix.col(k).data();
      for (size_t r = c; r < derivative.size(); ++r) {
        column[derivative[r].first] += kOverlapStiffness * derivative[r].second * dk;
      }
    }
  }
}

void ClearingProblem::Linearize(const VectorXd& q, VectorXd& gradient, MatrixXd& matrix) {
  gradient.setZero(model_.angle_count());
  matrix.setZero(model_.angle_count(), model_.angle_count());
  AddOverlaps(q, gradient, matrix);
  for (size_t j = 0; j < swing_twist_.size(); ++j) {
    Vector3d outward;
    const double excess = Excess(static_cast<int>(j), AnglesOf(static_cast<int>(j), q), outward);
    if (excess <= 0) continue;
    for (int c = 0; c < 3; ++c) {
      const int i = model_.angle_of[j][c];
      if (i < 0) continue;
      gradient[i] += kLimitStiffness * excess * outward[c];
      for (int d = 0; d < 3; ++d) {
        const int k = model_.angle_of[j][d];
        if (k >= 0 && k <= i) matrix(i, k) += kLimitStiffness * outward[c] * outward[d];
      }
    }
  }
}

}  // namespace sinew::poses
