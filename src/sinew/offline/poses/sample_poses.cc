#include "sinew/offline/poses/sample_poses.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "sinew/offline/core/farthest.h"
#include "sinew/offline/core/low_discrepancy.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/random.h"

namespace sinew::poses {
namespace {

using Eigen::Quaterniond;

AngleRange Scaled(const AngleRange& range, double amount) { return {range.min * amount, range.max * amount}; }

// Returns per joint the length of the longest chain of bones below it.
std::vector<double> Reaches(const RestBody& body) {
  std::vector<double> reach(body.joint_count(), 0);
  for (size_t i = body.order.size(); i-- > 0;) {
    const int j = body.order[i], parent = body.parents[j];
    if (parent < 0) continue;
    reach[parent] = std::max(reach[parent], reach[j] + (body.positions[j] - body.positions[parent]).norm());
  }
  return reach;
}

// Every so many samples, chains curl.
constexpr int kCurlEvery = 3;

// Kinds of joints that curl together.
enum class Family { kNone, kTrunk, kTail, kFinger, kUnknown };

Family FamilyOf(const RestBody& body, const JointLimits& limits, int joint) {
  if (limits[joint].free || limits[joint].fixed()) return Family::kNone;
  switch (const JointKind kind = body.identities[joint].kind) {
    case JointKind::kSpine:
    case JointKind::kNeck:
    case JointKind::kHead:
      return Family::kTrunk;
    case JointKind::kTail:
      return Family::kTail;
    case JointKind::kUnknown:
      return Family::kUnknown;
    default:
      return IsFinger(kind) ? Family::kFinger : Family::kNone;
  }
}

// Returns per joint the first joint of those that it curls with, itself if it is the first, and -1 if it curls with
// none: spine, neck and head; a tail; the fingers of a hand; joints of unknown kind, each at the end of the bone of the
// one before.
std::vector<int> FindChains(const RestBody& body, const JointLimits& limits) {
  std::vector<int> first(body.joint_count(), -1), sizes(body.joint_count(), 0);
  std::array<int, 3> fingers = {-1, -1, -1};  // by side
  for (const int j : body.order) {
    const Family family = FamilyOf(body, limits, j);
    if (family == Family::kNone) continue;
    const int parent = body.parents[j];
    int& of_hand = fingers[static_cast<int>(body.identities[j].side)];
    if (family == Family::kFinger && of_hand >= 0) {
      first[j] = of_hand;
    } else if (parent >= 0 && family == FamilyOf(body, limits, parent) &&
               (family != Family::kUnknown || body.next[parent] == j)) {
      first[j] = first[parent];
    } else {
      first[j] = j;
    }
    if (family == Family::kFinger) of_hand = first[j];
    ++sizes[first[j]];
  }
  for (int& f : first) {
    if (f >= 0 && sizes[f] == 1) f = -1;
  }
  return first;
}

// Frame of a joint in model space, at rest but for its limit's neutral: columns bend_toward, bone x bend_toward, bone.
Eigen::Matrix3d SwingFrame(const RestBody& body, const JointLimit& limit, int joint) {
  Eigen::Matrix3d axes;
  axes << limit.bend_toward, limit.bone.cross(limit.bend_toward), limit.bone;
  return (body.orientations[joint] * limit.neutral).toRotationMatrix() * axes;
}

// Swings a bone towards a direction in model space by a share of what its limit allows there.
SwingTwist SwingTowards(const Eigen::Matrix3d& frame, const JointLimit& limit, const Eigen::Vector3d& direction,
                        double share) {
  const Eigen::Vector3d along = frame.transpose() * direction;
  const double length = along.head<2>().norm();
  if (length < 1e-6) return {};
  const auto reach = [&](double component, const AngleRange& range) {
    return share * std::abs(component) / length * (component < 0 ? range.min : range.max);
  };
  return {.bend = reach(along.x(), limit.bend), .side = reach(along.y(), limit.side)};
}

}  // namespace

JointLimits ScaledLimits(const JointLimits& limits, double amount) {
  JointLimits scaled = limits;
  if (amount == 1) return scaled;
  for (JointLimit& limit : scaled) {
    limit.bend = Scaled(limit.bend, amount);
    limit.side = Scaled(limit.side, amount);
    limit.twist = Scaled(limit.twist, amount);
    if (!limit.free) IncludeRest(limit);
  }
  return scaled;
}

std::vector<Pose> SamplePoses(const Articulation& articulation, const JointLimits& limits,
                              const SampleOptions& options) {
  return SamplePosesFrom(0, articulation, limits, options);
}

std::vector<Pose> SamplePosesFrom(int first, const Articulation& articulation, const JointLimits& all,
                                  const SampleOptions& options) {
  const JointLimits limits = ScaledLimits(all, options.amount);
  std::vector<uint32_t> seeds;
  for (size_t j = 0; j < limits.size(); ++j) seeds.push_back(Random(options.seed, j).Bits());
  const RestBody& body = articulation.body();
  const std::vector<int> chains = FindChains(body, limits);
  std::vector<Eigen::Matrix3d> frames;
  for (size_t j = 0; j < limits.size(); ++j) frames.push_back(SwingFrame(body, limits[j], static_cast<int>(j)));
  std::vector<Pose> poses(options.count);
  ParallelFor(options.count, 64, [&](int i) {
    const uint32_t index = static_cast<uint32_t>(first) + static_cast<uint32_t>(i);
    const bool curls = index % kCurlEvery == kCurlEvery - 1;
    std::vector<Quaterniond> deltas(limits.size(), Quaterniond::Identity());
    for (size_t j = 0; j < limits.size(); ++j) {
      if (limits[j].free || limits[j].fixed()) continue;
      const auto [x, y, z] = LowDiscrepancy3(index, seeds[j]);
      SwingTwist angles = SampleInside(limits[j], {x, y, z});
      if (curls && chains[j] >= 0) {
        // The whole chain swings as its first joint does.
        const auto [round, out, unused] = LowDiscrepancy3(index, seeds[chains[j]]);
        const double turn = 2 * std::numbers::pi * round;
        const Eigen::Vector3d towards = frames[chains[j]] * Eigen::Vector3d(std::cos(turn), std::sin(turn), 0);
        const SwingTwist swing = SwingTowards(frames[j], limits[j], towards, std::sqrt(out));
        angles.bend = swing.bend, angles.side = swing.side;
      }
      deltas[j] = FromSwingTwist(limits[j], angles);
    }
    poses[i] = articulation.ToPose(deltas);
  });
  return poses;
}

ProbingPoses MakeProbingPoses(const std::vector<Pose>& bases, const std::vector<Pose>& others) {
  constexpr float kDegree = std::numbers::pi_v<float> / 180;
  ProbingPoses probing;
  for (size_t f = 0; f < bases.size(); ++f) {
    const auto add = [&](const Pose& pose) {
      probing.poses.push_back(pose);
      probing.bases.push_back(static_cast<int>(f));
    };
    add(bases[f]);
    for (size_t j = 0; j < bases[f].size(); ++j) {
      const runtime::Quaternion& turned = others[f][j].rotation;
      if (ToEigen(turned).angularDistance(ToEigen(bases[f][j].rotation)) < kDegree) continue;
      Pose pose = bases[f];
      pose[j].rotation = turned;
      add(pose);
    }
  }
  return probing;
}

PoseMetric::PoseMetric(const Articulation& articulation) {
  const RestBody& body = articulation.body();
  weights_ = Reaches(body);
  double sum = 0;
  for (int j = 0; j < body.joint_count(); ++j) {
    const JointKind kind = body.identities[j].kind;
    if (body.parents[j] < 0 || kind == JointKind::kPelvis || kind == JointKind::kRoot) weights_[j] = 0;
    weights_[j] = std::max(weights_[j], 0.0);
    sum += weights_[j];
  }
  for (double& weight : weights_) weight = sum > 0 ? weight / sum : 1.0 / static_cast<double>(weights_.size());
}

double PoseMetric::Distance(const std::vector<Quaterniond>& a, const std::vector<Quaterniond>& b) const {
  double sum = 0;
  for (size_t j = 0; j < weights_.size(); ++j) {
    const double angle = weights_[j] > 0 ? a[j].angularDistance(b[j]) : 0;
    sum += weights_[j] * angle * angle;
  }
  return std::sqrt(sum);
}

std::vector<int> SelectSpread(const Articulation& articulation, const std::vector<Pose>& poses, int count) {
  const int total = static_cast<int>(poses.size());
  std::vector<int> chosen;
  if (count >= total) {
    for (int i = 0; i < total; ++i) chosen.push_back(i);
    return chosen;
  }
  const PoseMetric metric(articulation);
  std::vector<std::vector<Quaterniond>> deltas(total);
  ParallelFor(total, 64, [&](int i) { deltas[i] = articulation.Deltas(poses[i]); });
  const auto distances_to = [&](const std::vector<Quaterniond>& pose) {
    Eigen::VectorXd distances(total);
    ParallelFor(total, 256, [&](int i) { distances[i] = metric.Distance(deltas[i], pose); });
    return distances;
  };
  // The first choice is the pose furthest from rest; later choices do not keep away from rest itself.
  Eigen::VectorXd distance = distances_to(articulation.Deltas(articulation.skeleton().RestPose()));
  chosen = ChooseFarthest<double>(
      count, false, [&](int i) { return distances_to(deltas[i]); }, distance);
  // Fill up with any poses if the remaining ones equal chosen ones.
  for (int i = 0; static_cast<int>(chosen.size()) < count; ++i) {
    if (std::find(chosen.begin(), chosen.end(), i) == chosen.end()) chosen.push_back(i);
  }
  return chosen;
}

}  // namespace sinew::poses
