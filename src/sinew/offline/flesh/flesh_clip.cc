// Dynamic simulation of flesh that swings: FleshClip solves the frames of a motion one after the other.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/flesh/flesh_state.h"
#include "sinew/offline/flesh/node_weights.h"
#include "sinew/offline/flesh/pose_scales.h"

namespace sinew::flesh {

std::vector<double> FleshModel::State::SwingingShares() const {
  const double fat = FromMetres(settings.fat);
  const std::vector<double> thickness = MeasureThickness(flesh.mesh);
  std::vector<double> sums(lattice.mesh().node_count(), 0), counts(sums.size(), 0);
  for (size_t v = 0; v < thickness.size(); ++v) {
    for (int k = 0; k < 4; ++k) {
      const int node = lattice.mesh().tets(lattice.skin().tets[v], k);
      sums[node] += std::clamp((thickness[v] - fat) / fat, 0.0, 1.0);
      ++counts[node];
    }
  }
  for (size_t n = 0; n < sums.size(); ++n) sums[n] = counts[n] > 0 ? sums[n] / counts[n] : 1;
  return sums;
}

FleshClip::FleshClip(const FleshModel& model, const DynamicsSettings& settings) : model_(model), settings_(settings) {
  if (!(settings.seconds > 0) || !std::isfinite(settings.seconds)) {
    throw UsageError(fmt::format("{} seconds between poses; give a positive number", settings.seconds));
  }
  if (!(settings.density > 0) || !std::isfinite(settings.density)) {
    throw UsageError(fmt::format("flesh of {} kg a cubic metre; give a positive number", settings.density));
  }
  if (!model.state_->solver) return;
  // Energies are in pascal times unit^3, so a mass of rho V unit^3 that moves by lengths of one unit counts as
  // rho V unit^2.
  const double unit = model.report().unit;
  masses_ = model.state_->solver->NodeVolumes();
  const std::vector<double> shares = model.state_->SwingingShares();
  for (size_t n = 0; n < masses_.size(); ++n) masses_[n] *= shares[n] * settings.density * unit * unit;
}

void FleshClip::Begin(const Pose& pose, FrameResult& result) {
  const FleshModel::State& s = *model_.state_;
  result = s.SolveFromRest(pose, z_);
  places_ = Place(s.solver->MakePose(s.skin.Motions(s.skeleton, pose)), z_);
  frames_ = 1;
  kinetic_energy_ = 0;
}

FrameResult FleshClip::Next(const Pose& pose) {
  const FleshModel::State& s = *model_.state_;
  s.CheckSize(pose);
  if (!IsFinite(pose)) {
    frames_ = 0;
    return s.NotFinite();
  }
  if (!s.solver) return s.Skinned(pose);
  FrameResult result = Step(WithoutScales(s.skeleton, pose));
  AddScales(s.skin, s.skeleton, pose, result.parts);
  return result;
}

FrameResult FleshClip::Step(const Pose& pose) {
  const FleshModel::State& s = *model_.state_;
  FrameResult result;
  if (frames_ == 0) {
    Begin(pose, result);
    if (!result.converged) frames_ = 0;
    return result;
  }
  const double h = settings_.seconds;
  FleshPose flesh_pose = s.solver->MakePose(s.skin.Motions(s.skeleton, pose));
  // Positions without forces. In the second frame flesh has no velocity yet and moves as its bones do.
  Nodes onwards = Place(flesh_pose, z_);
  if (frames_ > 1) {
    onwards = places_ + h * velocities_;
    onwards.rowwise() += h * h / model_.report().unit * settings_.gravity_model.transpose();
  }
  // Time step: static solve with inertia.
  std::vector<double> stiffness = masses_;
  for (double& value : stiffness) value /= h * h;
  s.solver->SetInertia(onwards, stiffness, flesh_pose);
  const FleshSolveReport solved = s.solver->Solve(flesh_pose, s.options, z_);
  result.path_steps = 1;
  result.newton_steps = solved.newton_steps;
  result.cg_iterations = solved.cg_iterations;
  s.Judge(flesh_pose, solved, z_, result);
  // State after the step.
  const Nodes places = Place(flesh_pose, z_);
  velocities_ = (places - places_) / h;
  places_ = places;
  kinetic_energy_ = 0;
  for (Eigen::Index n = 0; n < places.rows(); ++n) {
    kinetic_energy_ += 0.5 * masses_[n] * velocities_.row(n).squaredNorm();
  }
  frames_ = result.converged ? frames_ + 1 : 0;
  return result;
}

}  // namespace sinew::flesh
