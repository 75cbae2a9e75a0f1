#include "sinew/offline/poses/clear_motion.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/offline/core/parallel.h"

namespace sinew::poses {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kGrain = 4;

// A range of frames that is solved at once. The frame before it, if any, keeps its correction.
class Stretch {
 public:
  Stretch(const ClearingModel& model, std::vector<ClearingProblem>& problems, int first, int end, double coupling,
          std::vector<VectorXd>& corrections)
      : model_(model),
        problems_(problems),
        first_(first),
        count_(end - first),
        coupling_(coupling),
        corrections_(corrections),
        values_(count_),
        damping_(count_),
        gradients_(count_),
        matrices_(count_) {}

  // Minimises by Gauss-Newton steps of all frames at once. After a step that increases the sum or a frame's value, the
  // affected frames (all, or that one) are damped more in the next step. A step that increases the sum is not taken.
  void Solve() {
    constexpr int kSteps = 100, kIdle = 4;
    constexpr double kShortestStep = 2e-4, kLongestStep = 0.3;
    double value = Value(corrections_, values_);
    bool moved = true;
    int idle = 0;  // successive steps without a significant decrease
    for (int step = 0; step < kSteps; ++step) {
      // Compute a step, limited per angle; stop if it is too short.
      if (moved) Linearize();
      std::vector<VectorXd> changes = Changes();
      double longest = 0;
      for (VectorXd& change : changes) {
        longest = std::max(longest, change.cwiseAbs().maxCoeff());
        change = change.cwiseMax(-kLongestStep).cwiseMin(kLongestStep);
      }
      if (!std::isfinite(longest) || longest < kShortestStep) break;
      // Take the step if it decreases the sum, and adapt the damping.
      std::vector<VectorXd> next = corrections_;
      for (int i = 0; i < count_; ++i) next[first_ + i] += changes[i];
      std::vector<double> next_values(count_);
      const double next_value = Value(next, next_values);
      moved = next_value < value;
      for (int i = 0; i < count_; ++i) damping_[i].Update(moved && next_values[i] <= values_[i]);
      if (!moved) continue;
      idle = value - next_value > 1e-6 * value ? 0 : idle + 1;
      corrections_ = std::move(next);
      values_ = std::move(next_values);
      value = next_value;
      if (idle == kIdle) break;
    }
  }

 private:
  bool HasBefore(int i) const { return first_ + i > 0; }

  // Returns the objective of all frames. values: set to each frame's part of it, including the coupling to the frame
  // before.
  double Value(const std::vector<VectorXd>& corrections, std::vector<double>& values) {
    ParallelFor(count_, kGrain, [&](int i) {
      const int f = first_ + i;
      ClearingProblem& problem = problems_[f];
      values[i] = problem.Value(problem.start() + corrections[f], problem.start());
      if (!HasBefore(i)) return;
      const VectorXd change = corrections[f] - corrections[f - 1];
      values[i] += 0.5 * coupling_ * change.cwiseAbs2().dot(model_.weights);
    });
    return std::accumulate(values.begin(), values.end(), 0.0);
  }

  // Computes the gradient and the diagonal block of the Gauss-Newton matrix per frame.
  void Linearize() {
    const VectorXd coupled = coupling_ * model_.weights;
    ParallelFor(count_, kGrain, [&](int i) {
      const int f = first_ + i;
      problems_[f].Linearize(problems_[f].start() + corrections_[f], gradients_[i], matrices_[i]);
      gradients_[i] += model_.weights.cwiseProduct(corrections_[f]);
      matrices_[i].diagonal() += model_.weights;
      if (HasBefore(i)) {
        gradients_[i] += coupled.cwiseProduct(corrections_[f] - corrections_[f - 1]);
        matrices_[i].diagonal() += coupled;
      }
      if (i + 1 < count_) {
        gradients_[i] += coupled.cwiseProduct(corrections_[f] - corrections_[f + 1]);
        matrices_[i].diagonal() += coupled;
      }
    });
  }

  // Solves the damped Gauss-Newton system for the step of each frame. The matrix is block tridiagonal, with one block
  // per frame on the diagonal and -s W (W the diagonal matrix of weights) beside it; solved by block elimination.
  std::vector<VectorXd> Changes() const {
    const VectorXd coupled = coupling_ * model_.weights;
    std::vector<Eigen::LLT<MatrixXd>> factors(count_);
    std::vector<VectorXd> right(count_);
    for (int i = 0; i < count_; ++i) {
      MatrixXd block = matrices_[i];
      block.diagonal() += damping_[i].value() * model_.weights;
      right[i] = -gradients_[i];
      if (i > 0) {
        block -= coupled.asDiagonal() * factors[i - 1].solve(MatrixXd(coupled.asDiagonal()));
        right[i] += coupled.cwiseProduct(factors[i - 1].solve(right[i - 1]));
      }
      factors[i].compute(block);
    }
    std::vector<VectorXd> changes(count_);
    for (int i = count_; i-- > 0;) {
      if (i + 1 < count_) right[i] += coupled.cwiseProduct(changes[i + 1]);
      changes[i] = factors[i].solve(right[i]);
    }
    return changes;
  }

  const ClearingModel& model_;
  std::vector<ClearingProblem>& problems_;
  const int first_, count_;
  const double coupling_;
  std::vector<VectorXd>& corrections_;
  std::vector<double> values_;
  std::vector<Damping> damping_;
  std::vector<VectorXd> gradients_;
  std::vector<MatrixXd> matrices_;
};

}  // namespace

void ClearMotion(const ClearingModel& model, const std::vector<Pose>& frames, double frames_per_second,
                 ClearedMotion& motion) {
  const int count = static_cast<int>(frames.size());
  std::vector<ClearingProblem> problems;
  problems.reserve(count);
  for (const Pose& pose : frames) problems.emplace_back(model, pose);
  ParallelFor(count, kGrain, [&](int f) {
    const double depth = problems[f].Depth(problems[f].start());
    motion.frames[f] = {.pose = frames[f], .depth_before = depth, .depth = depth};
    motion.frames[f].clear = depth <= model.options.tolerance;
  });
  if (motion.left() == 0) return;
  // Solve range after range of kStretch frames, which bounds memory and time. The last kAgain frames of a range are
  // solved again with the next one, which knows the frames after them.
  constexpr int kStretch = 240, kAgain = 60;
  const double coupling = std::pow(model.options.smooth_seconds * frames_per_second, 2);
  std::vector<VectorXd> corrections(count, VectorXd::Zero(model.angle_count()));
  for (int first = 0; first < count; first += kStretch - kAgain) {
    const int end = std::min(count, first + kStretch);
    Stretch(model, problems, first, end, coupling, corrections).Solve();
    if (end == count) break;
    // The next range starts from the last correction of this one, so that limbs stay on the same side.
    std::fill(corrections.begin() + end, corrections.begin() + std::min(count, end + kStretch), corrections[end - 1]);
  }
  // Apply the corrections, brought inside the joint limits.
  ParallelFor(count, kGrain, [&](int f) {
    ClearingProblem& problem = problems[f];
    // Frames whose correction has decayed to nothing keep their pose bit for bit.
    constexpr double kNothing = 1e-6;
    if (corrections[f].cwiseAbs().maxCoeff() < kNothing) return;
    const VectorXd q = problem.Inside(problem.start() + corrections[f]);
    ClearedPose& cleared = motion.frames[f];
    cleared.pose = problem.ToPose(q);
    cleared.turn = problem.LargestTurn(q);
    cleared.depth = problem.Depth(q);
    cleared.clear = cleared.depth <= model.options.tolerance;
  });
}

}  // namespace sinew::poses
