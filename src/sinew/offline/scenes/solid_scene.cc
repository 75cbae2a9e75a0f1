#include "sinew/offline/scenes/solid_scene.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>

#include "sinew/offline/contact/jelly.h"
#include "sinew/offline/core/error.h"

namespace sinew::scenes {
namespace {

using dynamics::SolidShape;

// Stiff enough to sag by a few percent under its own weight, in pascal.
constexpr double kJellyYoung = 1e5;
// Half the sides of the cube that is pressed into the jelly, and the rounding of its edges beyond them, in metre.
constexpr double kCube = 0.15, kCubeRounding = 0.04;

SolidSceneCollider Floor(double height, double friction) {
  SolidSceneCollider floor;
  floor.friction = friction;
  floor.keys = {{.position = {0, height, 0}}};
  return floor;
}

}  // namespace

const std::vector<std::string>& SolidNames() {
  static const std::vector<std::string> names = {"jelly3d"};
  return names;
}

bool IsSolid(const std::string& name) {
  return std::find(SolidNames().begin(), SolidNames().end(), name) != SolidNames().end();
}

RawSolid MakeSolidObject(const std::string& name, int tets) {
  if (!IsSolid(name)) throw UsageError(fmt::format("there is no object '{}' in space; give jelly3d", name));
  const contact::LoadedSolid jelly = contact::MakeJelly({.tets = tets});
  return {.mesh = jelly.mesh,
          .handles = jelly.subspace.handles(),
          .basis = jelly.subspace.functions(),
          .young = kJellyYoung,
          .poisson = 0.4};
}

SolidScene MakeSolidScene(const std::string& name) {
  if (!IsSolid(name)) throw UsageError(fmt::format("there is no scene '{}' in space; give jelly3d", name));
  SolidScene scene;
  scene.object = name;
  scene.seconds = 3;
  SolidSceneCollider cube;
  cube.shape = SolidShape::kBox;
  cube.half.setConstant(kCube);
  cube.rounding = kCubeRounding;
  cube.friction = 0.5;
  cube.keys = {{.seconds = 0.4, .position = {0.12, 0.8, 0.1}, .turn = {0.5, 0, 0.6}},
               {.seconds = 1.2, .position = {0.12, 0.35, 0.1}, .turn = {0.5, 0, 0.6}},
               {.seconds = 1.8, .position = {0.02, 0.35, 0}, .turn = {0.5, 0.5, 0.6}},
               {.seconds = 2.3, .position = {0.02, 0.85, 0}, .turn = {0.5, 0.5, 0.6}}};
  scene.colliders = {Floor(-0.31, 0.8), cube};
  return scene;
}

SolidScene MakeSolidFall(const std::string& object, double lowest, double size) {
  SolidScene scene;
  scene.object = object;
  scene.colliders = {Floor(lowest - size / 4, 0.5)};
  return scene;
}

SolidKey PoseAt(const std::vector<SolidKey>& keys, double seconds) {
  const auto next = std::find_if(keys.begin(), keys.end(), [&](const SolidKey& key) { return key.seconds > seconds; });
  if (next == keys.begin()) return keys.front();
  if (next == keys.end()) return keys.back();
  const SolidKey &a = *(next - 1), &b = *next;
  const double t = (seconds - a.seconds) / (b.seconds - a.seconds);
  return {.seconds = seconds, .position = (1 - t) * a.position + t * b.position, .turn = (1 - t) * a.turn + t * b.turn};
}

dynamics::SolidCollider ColliderAt(const SolidSceneCollider& own, double seconds) {
  const SolidKey pose = PoseAt(own.keys, seconds);
  dynamics::SolidCollider collider;
  collider.shape = own.shape;
  collider.radius = own.radius;
  collider.corners = own.corners.data();
  collider.corner_count = static_cast<int>(own.corners.size() / 2);
  collider.rounding = own.rounding;
  collider.friction = own.friction;
  const double angle = pose.turn.norm();
  const Eigen::Vector3d axis = angle > 0 ? Eigen::Vector3d(pose.turn / angle) : Eigen::Vector3d::UnitY();
  const Eigen::Matrix3d R = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
  for (int r = 0; r < 3; ++r) {
    collider.half[r] = own.half[r];
    collider.pose.position[r] = pose.position[r];
    for (int c = 0; c < 3; ++c) collider.pose.rotation[3 * r + c] = R(r, c);
  }
  return collider;
}

}  // namespace sinew::scenes
