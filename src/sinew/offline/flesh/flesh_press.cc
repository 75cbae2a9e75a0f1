#include <algorithm>

#include "sinew/offline/core/error.h"
#include "sinew/offline/flesh/flesh_state.h"
#include "sinew/offline/flesh/pose_scales.h"

namespace sinew::flesh {

FleshPress::FleshPress(const FleshModel& model, const Pose& pose) : model_(model), pose_(pose) {
  const FleshModel::State& s = *model.state_;
  s.CheckSize(pose);
  const auto& colliders = s.settings.colliders;
  if (!s.solver || !s.contact ||
      std::none_of(colliders.begin(), colliders.end(), [](const FleshCollider& c) { return c.given; })) {
    throw UsageError("nothing presses this flesh; give the model flesh, contact and a collider");
  }
  if (!IsFinite(pose)) {
    free_ = s.NotFinite();
    return;
  }
  unscaled_ = WithoutScales(s.skeleton, pose);
  free_ = s.SolveFromRest(unscaled_, free_z_);
  AddScales(s.skin, s.skeleton, pose_, free_.parts);
  z_ = free_z_;
}

FleshPress::~FleshPress() = default;

void FleshPress::Release() { z_ = free_z_; }

FrameResult FleshPress::Solve(const std::vector<Eigen::Isometry3d>& places) {
  if (!free_.converged) return free_;
  const FleshModel::State& s = *model_.state_;
  FleshPose pose = s.solver->MakePose(s.skin.Motions(s.skeleton, unscaled_), 1);
  for (const Eigen::Isometry3d& place : places) {
    pose.collider_places.push_back({.R = place.linear(), .t = place.translation()});
  }
  FleshSolverOptions options = s.options;
  options.contact = true;
  const FleshSolveReport solved = s.solver->Solve(pose, options, z_);
  FrameResult result;
  result.path_steps = 1;
  result.newton_steps = solved.newton_steps;
  result.cg_iterations = solved.cg_iterations;
  s.Judge(pose, solved, z_, result);
  AddScales(s.skin, s.skeleton, pose_, result.parts);
  if (!result.converged) Release();
  return result;
}

}  // namespace sinew::flesh
