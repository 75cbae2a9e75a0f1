#include "sinew/offline/contact/turn.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/offline/core/farthest.h"
#include "sinew/offline/elasticity/plane_collider.h"

namespace sinew::contact {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr int kAngles = 1024, kQuaternions = 2048;
constexpr uint64_t kSeed = 1, kStream = 11;

Quaterniond ToEigen(const Turn& turn) {
  const auto& q = turn.quaternion;
  return {q[3], q[0], q[1], q[2]};
}

Turn FromEigen(const Quaterniond& q) { return {.quaternion = {q.x(), q.y(), q.z(), q.w()}}; }

Quaterniond DrawQuaternion(Random& random) {
  double numbers[4];
  for (double& number : numbers) number = random.Normal();
  return Quaterniond(numbers[3], numbers[0], numbers[1], numbers[2]).normalized();
}

// Indices of items that are spread, the first of them among them.
template <typename DistancesFrom>
std::vector<int> SpreadFromFirst(int count, const DistancesFrom& distances_from) {
  Distances<double> distance = distances_from(0);
  std::vector<int> chosen = {0};
  for (const int next : ChooseFarthest<double>(count - 1, true, distances_from, distance)) chosen.push_back(next);
  return chosen;
}

std::vector<Turn> SpreadAngles(int count) {
  constexpr double kWhole = 2 * std::numbers::pi;
  Eigen::ArrayXd angles(kAngles);
  for (int i = 0; i < kAngles; ++i) angles[i] = kWhole * i / kAngles;
  const auto distances_from = [&](int i) -> Distances<double> {
    const Eigen::ArrayXd direct = (angles - angles[i]).abs();
    return direct.min(kWhole - direct).matrix();
  };
  std::vector<Turn> turns;
  for (const int i : SpreadFromFirst(count, distances_from)) turns.push_back({.angle = angles[i]});
  return turns;
}

std::vector<Turn> SpreadQuaternions(int count) {
  Random random(kSeed, kStream);
  std::vector<Quaterniond> candidates = {Quaterniond::Identity()};
  while (static_cast<int>(candidates.size()) < std::max(kQuaternions, 4 * count)) {
    candidates.push_back(DrawQuaternion(random));
  }
  const auto distances_from = [&](int item) {
    Distances<double> angles(static_cast<Eigen::Index>(candidates.size()));
    for (size_t i = 0; i < candidates.size(); ++i) angles[i] = candidates[i].angularDistance(candidates[item]);
    return angles;
  };
  std::vector<Turn> turns;
  for (const int i : SpreadFromFirst(count, distances_from)) turns.push_back(FromEigen(candidates[i]));
  return turns;
}

}  // namespace

SmallMatrix Turn::Rotation(int dimension) const {
  if (dimension == 2) return elasticity::PlanePose{.angle = angle}.Rotation();
  return ToEigen(*this).normalized().toRotationMatrix();
}

Turn DrawTurn(int dimension, Random& random) {
  if (dimension == 2) return {.angle = random.Uniform(0, 2 * std::numbers::pi)};
  return FromEigen(DrawQuaternion(random));
}

std::vector<Turn> SpreadTurns(int dimension, int count) {
  return dimension == 2 ? SpreadAngles(count) : SpreadQuaternions(count);
}

Turn ShiftTurn(const Turn& turn, int dimension, int count, Random& random) {
  if (dimension == 2) {
    return {.angle = turn.angle + random.Uniform(-0.5, 0.5) * 2 * std::numbers::pi / count};
  }
  // Rotations by up to an angle a fill about a^3 / (6 pi) of all: `count` of them, half as far apart as they reach.
  const double share = std::cbrt(6 * std::numbers::pi / count);
  Vector3d axis;
  for (double& coordinate : axis) coordinate = random.Normal();
  const double angle = std::min(share, std::numbers::pi) * std::cbrt(random.Uniform());
  return FromEigen((ToEigen(turn) * Eigen::AngleAxisd(angle, axis.normalized())).normalized());
}

}  // namespace sinew::contact
