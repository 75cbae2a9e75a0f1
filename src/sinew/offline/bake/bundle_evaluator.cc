#include "sinew/offline/bake/bundle_evaluator.h"

#include <string>
#include <vector>

#include "sinew/offline/bake/bundle_builder.h"
#include "sinew/offline/core/error.h"

namespace sinew::bake {
namespace {

using runtime::Float3;
using runtime::LevelOutput;
using runtime::StridedSpan;

StridedSpan<Float3> View(Points& points) {
  return {reinterpret_cast<Float3*>(points.data()), static_cast<size_t>(points.rows())};
}

runtime::Evaluation Run(const runtime::Bundle& bundle, const Pose& pose, int level, const LevelOutput& output,
                        bool skin_only, std::span<const runtime::Collider> colliders = {}) {
  if (level < 1 || level > bundle.level_count()) {
    throw UsageError("the bundle has the levels 1 to " + std::to_string(bundle.level_count()) + ", not " +
                     std::to_string(level));
  }
  if (static_cast<int>(pose.size()) != bundle.joint_count()) {
    throw UsageError("the pose has " + std::to_string(pose.size()) + " joints but the bundle has " +
                     std::to_string(bundle.joint_count()) + "; retarget it to this skeleton first");
  }
  std::vector<LevelOutput> outputs(level);
  outputs[level - 1] = output;
  std::vector<std::byte> scratch(runtime::ScratchBytes(bundle, level));
  runtime::EvaluateJob job;
  job.bundle = &bundle;
  job.pose = pose;
  job.levels = outputs;
  job.scratch = scratch;
  job.skin_only = skin_only;
  job.colliders = colliders;
  const runtime::Evaluation evaluation = job.Run();
  if (evaluation.status != runtime::Status::kOk) {
    throw FailedError(std::string("the runtime refuses to evaluate the bundle (") + ToString(evaluation.status) + ")");
  }
  return evaluation;
}

}  // namespace

Points Displacements(const runtime::Bundle& bundle, const Pose& pose, int level, runtime::Evaluation* evaluation) {
  Points displacements(level >= 1 && level <= bundle.level_count() ? bundle.level(level).vertex_count : 0, 3);
  LevelOutput output;
  output.displacements = View(displacements);
  const runtime::Evaluation done = Run(bundle, pose, level, output, false);
  if (evaluation != nullptr) *evaluation = done;
  return displacements;
}

DeformedLevel Deform(const runtime::Bundle& bundle, const Pose& pose, int level, bool skin_only,
                     std::span<const runtime::Collider> colliders) {
  DeformedLevel deformed;
  const int vertices = level >= 1 && level <= bundle.level_count() ? bundle.level(level).vertex_count : 0;
  deformed.positions.resize(vertices, 3);
  deformed.normals.resize(vertices, 3);
  LevelOutput output;
  output.positions = View(deformed.positions);
  output.normals = View(deformed.normals);
  output.normals_from = runtime::NormalSource::kTriangles;
  deformed.evaluation = Run(bundle, pose, level, output, skin_only, colliders);
  return deformed;
}

struct DeformerEvaluator::State {
  BakedBundle baked;
  std::vector<std::vector<int>> first_vertices;  // per level: the first vertex of each point
};

DeformerEvaluator::DeformerEvaluator(const lod::Hierarchy& hierarchy, const deformer::Deformer& deformer,
                                     runtime::Precision precision)
    : state_(std::make_unique<State>()) {
  state_->baked = BuildBundle(hierarchy, deformer, {}, {.precision = precision, .normals = false});
  for (const lod::Level& level : hierarchy.levels) {
    std::vector<int>& first = state_->first_vertices.emplace_back(level.point_count, 0);
    for (int v = level.vertex_count() - 1; v >= 0; --v) first[level.point_of_vertex[v]] = v;
  }
}

DeformerEvaluator::~DeformerEvaluator() = default;

Points DeformerEvaluator::Displacements(const Pose& pose, int level) const {
  const Points of_vertices = sinew::bake::Displacements(state_->baked.bundle, pose, level);
  const std::vector<int>& first = state_->first_vertices[level - 1];
  Points of_points(static_cast<Eigen::Index>(first.size()), 3);
  for (size_t p = 0; p < first.size(); ++p) of_points.row(static_cast<Eigen::Index>(p)) = of_vertices.row(first[p]);
  return of_points;
}

}  // namespace sinew::bake
