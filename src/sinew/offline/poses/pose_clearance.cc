#include "sinew/offline/poses/pose_clearance.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/poses/clear_motion.h"
#include "sinew/offline/poses/clearing_problem.h"

namespace sinew::poses {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Minimises the objective with the target angles `wanted`, starting from q, until a step changes no angle by more than
// 0.01 degrees. Steps that would increase the objective are shortened by Levenberg-Marquardt damping.
VectorXd Minimise(const ClearingModel& model, ClearingProblem& problem, const VectorXd& wanted, VectorXd q,
                  int max_steps) {
  constexpr double kLongestStep = 0.4, kShortestStep = 2e-4;
  VectorXd gradient;
  MatrixXd matrix;
  Damping damping;
  double value = problem.Value(q, wanted);
  bool moved = true;
  for (int step = 0; step < max_steps; ++step) {
    if (moved) problem.Linearize(q, gradient, matrix);
    MatrixXd damped = matrix;
    damped.diagonal() += (1 + damping.value()) * model.weights;
    VectorXd change = -damped.llt().solve(gradient + model.weights.cwiseProduct(q - wanted));
    const double longest = change.cwiseAbs().maxCoeff();
    if (!std::isfinite(longest) || longest < kShortestStep) break;
    change *= std::min(1.0, kLongestStep / longest);
    const double next = problem.Value(q + change, wanted);
    moved = next < value;
    damping.Update(moved);
    if (moved) q += change, value = next;
  }
  return q;
}

// Follows the minimum while the target moves in stages from rest, where nothing overlaps, to the pose, so that limbs
// stay on the side of the body that they come from. Returns where to start the last minimisation.
VectorXd MinimiseFromRest(const ClearingModel& model, ClearingProblem& problem) {
  constexpr int kStages = 8, kSteps = 6;
  const VectorXd rest = problem.Rest();
  VectorXd q = rest;
  for (int stage = 1; stage < kStages; ++stage) {
    const VectorXd wanted = rest + (problem.start() - rest) * stage / kStages;
    q = Minimise(model, problem, wanted, q + (problem.start() - rest) / kStages, kSteps);
  }
  return q + (problem.start() - rest) / kStages;
}

}  // namespace

int ClearedMotion::corrected() const {
  return static_cast<int>(std::count_if(frames.begin(), frames.end(), [](const auto& f) { return f.turn > 0; }));
}

int ClearedMotion::left() const {
  return static_cast<int>(std::count_if(frames.begin(), frames.end(), [](const auto& f) { return !f.clear; }));
}

struct PoseClearance::State {
  ClearingModel model;
};

PoseClearance::PoseClearance(const Character& character, const Articulation& articulation, const JointLimits& limits,
                             const ClearOptions& options)
    : state_(new State{ClearingModel(character, articulation, limits, options)}) {}
PoseClearance::~PoseClearance() = default;
PoseClearance::PoseClearance(PoseClearance&&) noexcept = default;
PoseClearance& PoseClearance::operator=(PoseClearance&&) noexcept = default;

bool PoseClearance::empty() const { return state_->model.overlap.pair_count() == 0 || state_->model.angles.empty(); }
int PoseClearance::sphere_count() const { return static_cast<int>(state_->model.overlap.body().spheres.size()); }
double PoseClearance::size() const { return state_->model.overlap.body().size; }
const ClearOptions& PoseClearance::options() const { return state_->model.options; }

double PoseClearance::Depth(const Pose& pose) const {
  if (empty() || !IsFinite(pose)) return 0;
  ClearingProblem problem(state_->model, pose);
  return problem.Depth(problem.start());
}

ClearedPose PoseClearance::Clear(const Pose& pose) const {
  const ClearingModel& model = state_->model;
  ClearedPose cleared{.pose = pose};
  if (empty() || !IsFinite(pose)) return cleared;
  ClearingProblem problem(model, pose);
  const VectorXd& start = problem.start();
  cleared.depth_before = cleared.depth = problem.Depth(start);
  cleared.clear = cleared.depth <= model.options.tolerance;
  // Try to minimise from the pose itself, which gives the smallest change; then from rest, which is sure to start
  // clear.
  for (const bool from_rest : {false, true}) {
    if (cleared.clear) break;
    constexpr int kSteps = 60;
    const VectorXd begin = from_rest ? MinimiseFromRest(model, problem) : start;
    const VectorXd q = problem.Inside(Minimise(model, problem, start, begin, kSteps));
    const double depth = problem.Depth(q);
    if (!(depth < cleared.depth)) continue;
    cleared.pose = problem.ToPose(q);
    cleared.depth = depth;
    cleared.turn = problem.LargestTurn(q);
    cleared.clear = depth <= model.options.tolerance;
  }
  return cleared;
}

ClearedMotion PoseClearance::Clear(const std::vector<Pose>& frames, double frames_per_second) const {
  ClearedMotion motion;
  motion.frames.resize(frames.size());
  const int count = static_cast<int>(frames.size());
  const bool finite = std::all_of(frames.begin(), frames.end(), [](const Pose& pose) { return IsFinite(pose); });
  if (frames_per_second <= 0 || !finite || empty()) {
    ParallelFor(count, 4, [&](int f) { motion.frames[f] = Clear(frames[f]); });
    return motion;
  }
  ClearMotion(state_->model, frames, frames_per_second, motion);
  return motion;
}

}  // namespace sinew::poses
