#include "sinew/offline/scenes/embedded_scenes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/offline/contact/plane_object.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/elasticity/biharmonic.h"
#include "sinew/offline/elasticity/plane_collider.h"

namespace sinew::scenes {
namespace {

using dynamics::ColliderShape;
using Eigen::Vector2d;
using elasticity::HandleKind;
using elasticity::HeldNodes;
using elasticity::PlaneMesh;

// In metre: sides of the jelly, radius of what its frame holds; radii of the ring.
constexpr double kJelly = 0.4, kJellyCore = 0.06;
constexpr double kRingOuter = 0.2, kRingInner = 0.12;
constexpr int kRingPairs = 12;
// Radii of the floater; of the post that it has to pass, and by how much that is in its way.
constexpr double kFloaterOuter = 0.2, kFloaterInner = 0.07, kPost = 0.1, kPostOverlap = 0.06;
constexpr int kFloaterPairs = 4;

int NearestNode(const PlaneMesh& mesh, const Vector2d& at) {
  Eigen::Index node = 0;
  (mesh.positions.rowwise() - at.transpose()).rowwise().squaredNorm().minCoeff(&node);
  return static_cast<int>(node);
}

RawObject FromHeld(PlaneMesh mesh, const std::vector<HeldNodes>& held, double young, double poisson) {
  RawObject raw;
  raw.basis = elasticity::BiharmonicCoordinates(mesh, held);
  for (const HeldNodes& handle : held) raw.handles.push_back({handle.kind, elasticity::CentreOf(mesh, handle)});
  raw.mesh = std::move(mesh);
  raw.young = young;
  raw.poisson = poisson;
  return raw;
}

RawObject MakeWormObject(int triangles) {
  const contact::PlaneObject worm = contact::MakeWorm({.triangles = triangles});
  RawObject raw;
  raw.mesh = worm.mesh;
  raw.handles = worm.subspace.handles();
  raw.basis = BasisOf(worm.subspace);
  raw.young = worm.young;
  raw.poisson = worm.poisson;
  return raw;
}

RawObject MakeJellyObject(int triangles) {
  PlaneMesh mesh = elasticity::MakePlaneBlock(kJelly, kJelly, triangles);
  std::vector<HeldNodes> held;
  for (int i = 0; i < 9; ++i) {
    const Vector2d at(kJelly * (i % 3 - 1) / 2, kJelly * (i / 3 - 1) / 2);
    if (i != 4) held.push_back({HandleKind::kPoint, {NearestNode(mesh, at)}});
  }
  HeldNodes core{HandleKind::kFrame, {}};
  for (int n = 0; n < mesh.node_count(); ++n) {
    if (mesh.positions.row(n).norm() <= kJellyCore) core.nodes.push_back(n);
  }
  held.push_back(core);
  return FromHeld(std::move(mesh), held, 3e4, 0.4);
}

RawObject MakeRingObject(int triangles) {
  PlaneMesh mesh = elasticity::MakePlaneRing(kRingOuter, kRingInner, triangles);
  std::vector<HeldNodes> held;
  for (const double radius : {kRingOuter, kRingInner}) {
    for (int i = 0; i < kRingPairs; ++i) {
      const double angle = 2 * std::numbers::pi * i / kRingPairs;
      held.push_back({HandleKind::kPoint, {NearestNode(mesh, radius * Vector2d(std::cos(angle), std::sin(angle)))}});
    }
  }
  return FromHeld(std::move(mesh), held, 2e4, 0.35);
}

RawObject MakeFloaterObject(int triangles) {
  PlaneMesh mesh = elasticity::MakePlaneRing(kFloaterOuter, kFloaterInner, triangles);
  std::vector<HeldNodes> held;
  for (const double radius : {kFloaterOuter, kFloaterInner}) {
    for (int i = 0; i < kFloaterPairs; ++i) {
      const double angle = 2 * std::numbers::pi * i / kFloaterPairs;
      held.push_back({HandleKind::kPoint, {NearestNode(mesh, radius * Vector2d(std::cos(angle), std::sin(angle)))}});
    }
  }
  return FromHeld(std::move(mesh), held, 3.6e5, 0.35);
}

SceneCollider Floor(double height, double friction) {
  SceneCollider floor;
  floor.friction = friction;
  floor.keys = {{.position = {0, height}}};
  return floor;
}

SceneCollider Shape(const std::string& name, double radius, std::vector<PoseKey> keys) {
  const elasticity::PlaneCollider shape = elasticity::MakePlaneCollider(name, radius);
  SceneCollider collider;
  collider.shape = ColliderShape::kPolygon;
  for (const Vector2d& corner : shape.corners())
    collider.corners.insert(collider.corners.end(), {corner[0], corner[1]});
  collider.rounding = shape.rounding();
  collider.keys = std::move(keys);
  return collider;
}

SceneCollider Peg(double radius, const Vector2d& position) {
  SceneCollider peg;
  peg.shape = ColliderShape::kCircle;
  peg.radius = radius;
  peg.friction = 0.05;
  peg.keys = {{.position = position}};
  return peg;
}

// The floater falls along a wall, and the post leaves less room beside it than the floater is wide.
Scene MakeFloaterScene() {
  Scene scene;
  scene.object = "floater";
  scene.seconds = 2;
  scene.position = {0, 0.3};
  const double reach = elasticity::MakePlaneCollider("cube", kPost).radius();
  scene.colliders = {
      Shape("cube", kPost, {{.position = {kFloaterOuter - kPostOverlap + reach, 0}, .angle = std::numbers::pi / 4}}),
      Floor(0, 0.05), Floor(-0.7, 0.5)};
  scene.colliders[0].friction = 0.05;
  scene.colliders[1].keys = {{.position = {-kFloaterOuter - 0.01, 0}, .angle = -std::numbers::pi / 2}};
  scene.finish = 0;
  return scene;
}

[[noreturn]] void RefuseName(const std::string& name) {
  throw UsageError(fmt::format("there is no scene '{}'; give {}", name, fmt::join(EmbeddedNames(), ", ")));
}

}  // namespace

const std::vector<std::string>& EmbeddedNames() {
  static const std::vector<std::string> names = {"worm", "jelly", "ring", "floater"};
  return names;
}

bool IsEmbedded(const std::string& name) {
  return std::find(EmbeddedNames().begin(), EmbeddedNames().end(), name) != EmbeddedNames().end();
}

RawObject MakeEmbeddedObject(const std::string& name, int triangles) {
  if (triangles < 200) throw UsageError(fmt::format("{} triangles are too few; give at least 200", triangles));
  if (name == "worm") return MakeWormObject(triangles);
  if (name == "jelly") return MakeJellyObject(triangles);
  if (name == "floater") return MakeFloaterObject(triangles);
  if (name == "ring") return MakeRingObject(triangles);
  RefuseName(name);
}

Scene MakeEmbeddedScene(const std::string& name) {
  Scene scene;
  scene.object = name;
  if (name == "worm") {
    scene.seconds = 3;
    scene.position = {0, 0.15};
    scene.angle = 0.2;
    scene.colliders = {Floor(-0.15, 0.5), Shape("cube", 0.08,
                                                {{.seconds = 1, .position = {0.2, 0.4}},
                                                 {.seconds = 1.6, .position = {0.2, 0.08}, .angle = 0.6},
                                                 {.seconds = 2, .position = {0.2, 0.08}, .angle = 0.6},
                                                 {.seconds = 2.5, .position = {0.2, 0.5}, .angle = 0.6}})};
  } else if (name == "jelly") {
    scene.seconds = 3;
    scene.colliders = {Floor(-0.22, 0.8), Shape("star", 0.12,
                                                {{.seconds = 0.5, .position = {0.45, 0.05}},
                                                 {.seconds = 1.2, .position = {0.24, 0.05}, .angle = 0.5},
                                                 {.seconds = 1.6, .position = {0.24, 0.05}, .angle = 1.2},
                                                 {.seconds = 2, .position = {0.6, 0.05}, .angle = 1.2}})};
  } else if (name == "ring") {
    scene.seconds = 3;
    scene.position = {0, 0.3};
    scene.colliders = {Floor(-0.5, 0.5), Peg(0.08, {-0.23, 0}), Peg(0.08, {0.23, 0})};
  } else if (name == "floater") {
    scene = MakeFloaterScene();
  } else {
    RefuseName(name);
  }
  return scene;
}

Scene MakeFall(const std::string& object, double lowest, double size) {
  Scene scene;
  scene.object = object;
  scene.colliders = {Floor(lowest - size / 4, 0.5)};
  return scene;
}

}  // namespace sinew::scenes
