#include "sinew/offline/scenes/run_scene.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <chrono>
#include <cmath>

#include "sinew/dynamics/simulation.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/scenes/full_space.h"

namespace sinew::scenes {
namespace {

using dynamics::ObjectTable;
using dynamics::Simulation;

std::vector<dynamics::Collider> CollidersAt(const Scene& scene, const dynamics::FieldTable* field, double seconds) {
  std::vector<dynamics::Collider> colliders;
  for (const SceneCollider& own : scene.colliders) {
    const PoseKey pose = PoseAt(own.keys, seconds);
    dynamics::Collider collider;
    collider.shape = own.shape;
    collider.radius = own.radius;
    collider.corners = own.corners.data();
    collider.corner_count = static_cast<int>(own.corners.size() / 2);
    collider.rounding = own.rounding;
    collider.friction = own.friction;
    collider.pose = {
        .cosine = std::cos(pose.angle), .sine = std::sin(pose.angle), .position = {pose.position[0], pose.position[1]}};
    if (field != nullptr && HasShapeOf(own, *field)) collider.field = field;
    colliders.push_back(collider);
  }
  return colliders;
}

std::vector<dynamics::Target> TargetsAt(const Scene& scene, const ObjectTable& object, double seconds) {
  if (scene.handles.empty()) return {};
  std::vector<dynamics::Target> targets(static_cast<size_t>(object.handle_count()));
  for (const DrivenHandle& driven : scene.handles) {
    const PoseKey pose = PoseAt(driven.keys, seconds);
    dynamics::Target& target = targets[static_cast<size_t>(driven.handle)];
    target.stiffness = driven.stiffness;
    const bool is_frame = object.handle(driven.handle).kind == dynamics::HandleKind::kFrame;
    double* numbers = target.numbers;
    if (is_frame) {
      const double c = std::cos(pose.angle), s = std::sin(pose.angle);
      for (const double number : {c, s, -s, c}) *numbers++ = number;
    }
    numbers[0] = pose.position[0];
    numbers[1] = pose.position[1];
  }
  return targets;
}

std::vector<dynamics::SolidCollider> CollidersAt(const SolidScene& scene, const dynamics::FieldTable* /*field*/,
                                                 double seconds) {
  std::vector<dynamics::SolidCollider> colliders;
  for (const SolidSceneCollider& own : scene.colliders) colliders.push_back(ColliderAt(own, seconds));
  return colliders;
}

std::vector<dynamics::SolidTarget> TargetsAt(const SolidScene&, const ObjectTable&, double) { return {}; }

// The whole object turned and moved: columns of matrices and positions turn, positions move, too.
void Place(const Scene& scene, const ObjectTable& object, Simulation& simulation) {
  std::vector<double> state(simulation.state().begin(), simulation.state().end()), velocity(state.size(), 0.0);
  const double c = std::cos(scene.angle), s = std::sin(scene.angle);
  for (size_t k = 0; k < state.size(); k += 2) {
    const double x = state[k], y = state[k + 1];
    state[k] = c * x - s * y;
    state[k + 1] = s * x + c * y;
  }
  for (int h = 0; h < object.handle_count(); ++h) {
    const auto at = 2 * static_cast<size_t>(object.PositionBasis(h));
    for (size_t r = 0; r < 2; ++r) {
      state[at + r] += scene.position[static_cast<Eigen::Index>(r)];
      velocity[at + r] = scene.velocity[static_cast<Eigen::Index>(r)];
    }
  }
  simulation.SetState(state, velocity);
}

void Place(const Scene& scene, const ObjectTable& object, FullSpace& simulation) {
  Eigen::VectorXd positions(2 * object.node_count()), velocity(positions.size());
  const Eigen::Rotation2Dd turn(scene.angle);
  for (int n = 0; n < object.node_count(); ++n) {
    positions.segment<2>(2 * n) = turn * Eigen::Vector2d(object.rest() + 2 * n) + scene.position;
    velocity.segment<2>(2 * n) = scene.velocity;
  }
  simulation.Set(positions, velocity);
}

template <typename Model>
SceneFrame FrameOf(const Model& simulation, const ObjectTable& object, double seconds) {
  std::vector<double> positions(static_cast<size_t>(object.dimension() * object.node_count()));
  simulation.Positions(positions);
  return {.seconds = seconds,
          .positions = {positions.begin(), positions.end()},
          .state = {simulation.state().begin(), simulation.state().end()}};
}

double Highest(const SceneFrame& frame) {
  double highest = frame.positions[1];
  for (size_t i = 1; i < frame.positions.size(); i += 2) highest = std::max<double>(highest, frame.positions[i]);
  return highest;
}

template <typename Model>
bool HasPassed(const Scene& scene, const ObjectTable& object, const Model& simulation) {
  return scene.finish && Highest(FrameOf(simulation, object, 0)) < *scene.finish;
}
bool HasPassed(const SolidScene&, const ObjectTable&, const dynamics::SolidSimulation&) { return false; }

dynamics::StepInput InputOf(const Scene& scene, const std::vector<dynamics::Collider>& colliders,
                            const std::vector<dynamics::Target>& targets) {
  return {.seconds = scene.step,
          .gravity = {scene.gravity[0], scene.gravity[1]},
          .colliders = colliders,
          .targets = targets};
}
dynamics::SolidStepInput InputOf(const SolidScene& scene, const std::vector<dynamics::SolidCollider>& colliders,
                                 const std::vector<dynamics::SolidTarget>& targets) {
  return {.seconds = scene.step,
          .gravity = {scene.gravity[0], scene.gravity[1], scene.gravity[2]},
          .colliders = colliders,
          .targets = targets};
}

int StepsOf(double seconds, double step) {
  const double wanted = std::round(seconds / step);
  if (!(wanted <= 1e7)) throw UsageError("the scene has over 10 million steps; give fewer seconds or longer steps");
  return std::max(1, static_cast<int>(wanted));
}

// AnyScene: Scene or SolidScene. Model: a simulation of its dimension or FullSpace, placed where the scene begins.
template <typename AnyScene, typename Model>
SceneRun Play(const AnyScene& scene, const ObjectTable& table, int frames, const dynamics::FieldTable* field,
              Model& simulation) {
  const int steps = StepsOf(scene.seconds, scene.step);
  SceneRun run;
  run.frames.push_back(FrameOf(simulation, table, 0));
  for (int i = 1; i <= steps; ++i) {
    const double seconds = i * scene.step;
    const auto colliders = CollidersAt(scene, field, seconds);
    const auto targets = TargetsAt(scene, table, seconds);
    const auto input = InputOf(scene, colliders, targets);
    const auto begin = std::chrono::steady_clock::now();
    const dynamics::StepReport report = simulation.Step(input);
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
    run.milliseconds.push_back(taken.count());
    run.flags |= report.flags;
    run.not_converged += (report.flags & dynamics::kNotConverged) != 0;
    run.steps.push_back({.seconds = seconds,
                         .kinetic = simulation.KineticEnergy(),
                         .elastic = simulation.StoredEnergy(),
                         .height = simulation.HeightEnergy(input.gravity),
                         .iterations = report.iterations,
                         .touching = report.touching});
    if (run.passed_at < 0 && HasPassed(scene, table, simulation)) run.passed_at = seconds;
    // Frame k of n is that of the step nearest to k / (n - 1) of the time.
    const auto next = static_cast<int64_t>(run.frames.size());
    if (next < frames && int64_t{i} * (frames - 1) >= next * steps) {
      run.frames.push_back(FrameOf(simulation, table, seconds));
    }
  }
  run.state_hash = HashHex(std::as_bytes(simulation.state()));
  return run;
}

void CheckField(const Scene& scene, const ObjectTable& object, const dynamics::FieldTable& field) {
  if (!field.Fits(object)) {
    throw UsageError("the contact field is of an object with other handles; train one for this object");
  }
  const auto has_shape = [&](const SceneCollider& collider) { return HasShapeOf(collider, field); };
  if (std::none_of(scene.colliders.begin(), scene.colliders.end(), has_shape)) {
    throw UsageError("no collider of the scene has the shape that the contact field was trained for");
  }
}

void CheckHandles(const Scene& scene, const ObjectTable& table) {
  for (const DrivenHandle& driven : scene.handles) {
    if (driven.handle < table.handle_count()) continue;
    throw UsageError(fmt::format("handle {} is driven, and the object has {}; give one that it has", driven.handle,
                                 table.handle_count()));
  }
}

// Returns the scratch, which must outlive the simulation.
template <int D>
Block OpenSimulation(const ObjectTable& table, int field_width, dynamics::SimulationOf<D>& simulation) {
  if (table.dimension() != D) {
    throw UsageError(fmt::format("the object is {}, and the scene is not; give an object {}",
                                 D == 2 ? "in space" : "in the plane", D == 2 ? "in the plane" : "in space"));
  }
  Block scratch(dynamics::SimulationOf<D>::ScratchBytes(table, field_width));
  if (simulation.Open(table, scratch.bytes(), field_width) != runtime::Status::kOk) {
    throw UsageError(
        "the object's mass is not positive for every motion, or a triangle has no area; make the object again");
  }
  return scratch;
}

}  // namespace

bool HasShapeOf(const SceneCollider& collider, const dynamics::FieldTable& field) {
  const size_t numbers = 2 * static_cast<size_t>(field.corner_count());
  if (collider.shape != dynamics::ColliderShape::kPolygon || collider.corners.size() != numbers) return false;
  double size = 0, off = std::abs(collider.rounding - field.header().rounding);
  for (size_t i = 0; i < numbers; ++i) {
    size = std::max(size, std::abs(field.corners()[i]));
    off = std::max(off, std::abs(field.corners()[i] - collider.corners[i]));
  }
  return off <= 1e-5 * size;
}

void CheckScene(const Scene& scene, const LoadedObject& object, int field_width) {
  CheckHandles(scene, object.table);
  Simulation simulation;
  OpenSimulation(object.table, field_width, simulation);
}

SceneRun RunScene(const Scene& scene, const LoadedObject& object, int frames, const dynamics::FieldTable* field) {
  const ObjectTable& table = object.table;
  if (field != nullptr) CheckField(scene, table, *field);
  CheckHandles(scene, table);
  Simulation simulation;
  const Block scratch = OpenSimulation(table, field != nullptr ? field->width() : 0, simulation);
  Place(scene, table, simulation);
  return Play(scene, table, frames, field, simulation);
}

SceneRun RunScene(const SolidScene& scene, const LoadedObject& object, int frames) {
  dynamics::SolidSimulation simulation;
  const Block scratch = OpenSimulation(object.table, 0, simulation);
  return Play(scene, object.table, frames, nullptr, simulation);
}

SceneRun RunFullScene(const Scene& scene, const LoadedObject& object, int frames) {
  if (!scene.handles.empty()) {
    throw UsageError("the scene has driven handles, which a simulation of all nodes does not have; leave them out");
  }
  if (object.table.dimension() != 2) throw UsageError("an object in space cannot be simulated by all nodes");
  FullSpace simulation(object.table);
  Place(scene, object.table, simulation);
  return Play(scene, object.table, frames, nullptr, simulation);
}

}  // namespace sinew::scenes
