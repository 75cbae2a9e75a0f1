#include "sinew/offline/anatomy/human_motion.h"

#include <algorithm>
#include <array>
#include <numbers>

#include "sinew/offline/anatomy/human_motion_table.h"

namespace sinew {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kTenth = kDegree / 10;

Eigen::Vector3d ToVector(const float (&v)[3]) { return Eigen::Vector3d(v[0], v[1], v[2]).normalized(); }

Skeleton SkeletonOf(std::span<const MeasuredJoint> joints) {
  Skeleton skeleton;
  for (const MeasuredJoint& measured : joints) {
    std::array<float, 3> offset{};
    for (int k = 0; k < 3; ++k) {
      const int from = measured.parent < 0 ? 0 : joints[measured.parent].position[k];
      offset[k] = 1e-3f * static_cast<float>(measured.position[k] - from);
    }
    Joint joint;
    joint.name = measured.name;
    joint.parent = measured.parent;
    joint.rest.translation = {offset[0], offset[1], offset[2]};
    skeleton.joints.push_back(std::move(joint));
  }
  return skeleton;
}

JointLimit RangeOf(const MeasuredJoint& measured) {
  JointLimit limit;
  limit.free = measured.parent < 0;
  limit.bone = ToVector(measured.bone);
  limit.bend_toward = ToVector(measured.bend_toward);
  const auto& [x, y, z, w] = measured.neutral;
  limit.neutral = Eigen::Quaterniond(w, x, y, z).normalized();
  const auto range = [&](int k) {
    return AngleRange{measured.range[2 * k] * kDegree, measured.range[2 * k + 1] * kDegree};
  };
  limit.bend = range(0), limit.side = range(1), limit.twist = range(2);
  limit.origin = LimitOrigin::kNames;
  limit.known_as = measured.name;
  return limit;
}

HumanMotion ReadTable() {
  HumanMotion motion;
  motion.skeleton = SkeletonOf(MeasuredJoints());
  for (const MeasuredJoint& joint : MeasuredJoints()) motion.ranges.push_back(RangeOf(joint));
  for (const MeasuredAngle& angle : MeasuredAngles()) motion.angles.push_back({angle.joint, angle.component});
  const auto size = static_cast<Eigen::Index>(motion.angles.size());
  using Row = Eigen::Matrix<int16_t, Eigen::Dynamic, 1>;
  const int16_t* at = MeasuredComponents().data();
  double sum = 0;
  for (const int16_t weight : MeasuredWeights()) sum += weight;
  for (const int16_t weight : MeasuredWeights()) {
    const auto next = [&] {
      const Eigen::VectorXd row = kTenth * Eigen::Map<const Row>(at, size).cast<double>();
      at += size;
      return row;
    };
    HumanMotion::Component component;
    component.weight = weight / sum;
    component.mean = next();
    component.own = next();
    component.factors.resize(size, kMeasuredFactors);
    for (int f = 0; f < kMeasuredFactors; ++f) component.factors.col(f) = next();
    motion.components.push_back(std::move(component));
  }
  return motion;
}

const HumanMotion::Component& DrawComponent(const HumanMotion& motion, Random& random) {
  double left = random.Uniform();
  for (const HumanMotion::Component& component : motion.components) {
    left -= component.weight;
    if (left < 0) return component;
  }
  return motion.components.back();
}

Eigen::VectorXd DrawNormal(Eigen::Index size, Random& random) {
  Eigen::VectorXd values(size);
  for (double& value : values) value = random.Normal();
  return values;
}

}  // namespace

HumanReach MeasuredReach(JointKind kind, int order) {
  for (const MeasuredReachRow& row : MeasuredReaches()) {
    if (row.kind != kind || row.order != order) continue;
    return {static_cast<double>(row.toward),
            static_cast<double>(row.away),
            static_cast<double>(row.out),
            static_cast<double>(row.in),
            static_cast<double>(row.twist_positive),
            static_cast<double>(row.twist_negative)};
  }
  return {};
}

const HumanMotion& MeasuredHumanMotion() {
  static const HumanMotion motion = ReadTable();
  return motion;
}

bool IsMeasuredPerson(std::string_view person) {
  const bool number = !person.empty() && person.find_first_not_of("0123456789") == std::string_view::npos;
  if (!number) return false;
  // The collection writes 2 as 02.
  const auto without_zeros = [](std::string_view digits) {
    return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
  };
  const std::span<const std::string_view> left_out = PeopleLeftOut();
  return std::none_of(left_out.begin(), left_out.end(),
                      [&](std::string_view other) { return without_zeros(other) == without_zeros(person); });
}

std::vector<SwingTwist> DrawHumanPose(const HumanMotion& motion, double spread, Random& random) {
  const HumanMotion::Component& component = DrawComponent(motion, random);
  const Eigen::VectorXd shared = DrawNormal(component.factors.cols(), random);
  const Eigen::VectorXd single = DrawNormal(component.own.size(), random);
  const Eigen::VectorXd drawn =
      component.mean + spread * (component.factors * shared + component.own.cwiseProduct(single));
  std::vector<SwingTwist> angles(motion.ranges.size());
  for (size_t i = 0; i < motion.angles.size(); ++i) {
    const auto [joint, which] = motion.angles[i];
    SwingTwist& turn = angles[joint];
    (which == 0 ? turn.bend : which == 1 ? turn.side : turn.twist) = drawn[static_cast<Eigen::Index>(i)];
  }
  for (size_t j = 0; j < angles.size(); ++j) {
    if (!motion.ranges[j].free) angles[j] = Clamp(motion.ranges[j], angles[j]);
  }
  return angles;
}

}  // namespace sinew
