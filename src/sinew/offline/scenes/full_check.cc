#include "sinew/offline/scenes/full_check.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/offline/contact/solve_contact.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/random.h"

namespace sinew::scenes {
namespace {

using Eigen::Vector2d;
using Eigen::VectorXd;

// Seconds in which the collider comes, and for which it stays; how stiff the handles are held, in newton per metre.
constexpr double kComing = 0.5, kStaying = 0.5, kHeld = 1e7;
// Samples of places that are tried for each contact: not every place can be reached from outside.
constexpr int kTries = 100;

// A contact of the worm at rest.
struct Case {
  contact::ContactLine line;
  double angle = 0, depth = 0;
};

Case DrawCase(const contact::PlaneObject& worm, const VectorXd& rest, Random& random) {
  Case drawn;
  for (int i = 0; i < kTries && !drawn.line.reachable; ++i) {
    const int place = std::min(static_cast<int>(random.Uniform(0, static_cast<double>(worm.loop.size()))),
                               static_cast<int>(worm.loop.size()) - 1);
    drawn.angle = random.Uniform(0, 2 * std::numbers::pi);
    drawn.line = FindContactLine(worm, rest, {.place = place, .turn = {.angle = drawn.angle}});
    drawn.depth = random.Uniform(0.4, 1) * drawn.line.max_depth;
  }
  if (!drawn.line.reachable) throw FailedError("no place of the worm could be reached by the collider");
  return drawn;
}

Scene SceneOf(const contact::PlaneObject& worm, const Case& own) {
  Scene scene;
  scene.gravity = {0, 0};
  scene.seconds = kComing + kStaying;
  SceneCollider collider;
  collider.shape = dynamics::ColliderShape::kPolygon;
  collider.rounding = worm.collider.rounding();
  collider.friction = 0;
  for (const Vector2d& corner : worm.collider.corners()) {
    collider.corners.insert(collider.corners.end(), {corner[0], corner[1]});
  }
  collider.keys = {{.seconds = 0, .position = own.line.At(0), .angle = own.angle},
                   {.seconds = kComing, .position = own.line.At(own.depth), .angle = own.angle}};
  scene.colliders = {collider};
  for (size_t h = 0; h < worm.subspace.handles().size(); ++h) {
    const Vector2d centre = worm.subspace.handles()[h].centre;
    scene.handles.push_back({.handle = static_cast<int>(h), .stiffness = kHeld, .keys = {{.position = centre}}});
  }
  return scene;
}

double Deepest(const contact::PlaneObject& worm, const Case& own, const VectorXd& x) {
  const elasticity::PlanePose pose{.angle = own.angle, .position = own.line.At(own.depth)};
  double deepest = 0;
  for (const int node : worm.loop) {
    deepest = std::max(deepest, -worm.collider.Distance(pose.ToCollider(x.segment<2>(2 * node))).distance);
  }
  return deepest;
}

// Runs the contact, and returns the positions of all nodes at its end.
VectorXd RunCase(const Scene& scene, const LoadedObject& object, const dynamics::FieldTable* field,
                 std::vector<double>& milliseconds) {
  SceneRun run = RunScene(scene, object, 2, field);
  milliseconds = std::move(run.milliseconds);
  const std::vector<float>& positions = run.frames.back().positions;
  return Eigen::Map<const Eigen::VectorXf>(positions.data(), static_cast<Eigen::Index>(positions.size()))
      .cast<double>();
}

double RootMeanSquare(const VectorXd& off) {
  return std::sqrt(2 * off.squaredNorm() / static_cast<double>(off.size()));
}

}  // namespace

double FullCheck::RelativeError() const {
  double own = 0, linear = 0;
  for (const FullContact& contact : contacts) {
    own += contact.error * contact.error;
    linear += contact.linear_error * contact.linear_error;
  }
  return linear > 0 ? std::sqrt(own / linear) : 0;
}

FullCheck CompareWithFull(const contact::PlaneObject& worm, const LoadedObject& object,
                          const dynamics::FieldTable& field, int contacts, uint64_t seed) {
  if (object.table.node_count() != worm.mesh.node_count()) {
    throw UsageError("the object is not of the worm's mesh; give the same number of triangles");
  }
  FullCheck check;
  Random random(seed, 5);
  const VectorXd rest = RelaxState(worm, worm.subspace.RestState());
  for (int i = 0; i < contacts; ++i) {
    const Case own = DrawCase(worm, rest, random);
    const Scene scene = SceneOf(worm, own);
    const contact::ContactSolution full =
        SolveDepths(worm, rest, own.line, {.angle = own.angle}, {own.depth / 2, own.depth}).back();
    FullContact result;
    result.depth = own.depth;
    const VectorXd linear = RunCase(scene, object, nullptr, result.linear_ms);
    const VectorXd dented = RunCase(scene, object, &field, result.ms);
    if (!full.converged) {
      ++check.failed;
      continue;
    }
    const VectorXd x = rest + full.u;
    result.linear_error = RootMeanSquare(linear - x);
    result.error = RootMeanSquare(dented - x);
    result.linear_deepest = Deepest(worm, own, linear);
    result.deepest = Deepest(worm, own, dented);
    result.full_deepest = Deepest(worm, own, x);
    check.contacts.push_back(std::move(result));
  }
  return check;
}

}  // namespace sinew::scenes
