#include "sinew/offline/fem/flesh_solver.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "sinew/offline/fem/conjugate_gradients.h"

namespace sinew::fem {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

// How much stiffer than flesh over one cell the core holds it.
constexpr double kCoreStiffness = 20;
constexpr double kArmijo = 1e-4;
constexpr double kShortestStep = 1e-4;
constexpr double kMostlyFlesh = 0.5;

class System : public LinearSystem {
 public:
  explicit System(const BlockMatrix& matrix) : matrix_(matrix) {
    for (const Matrix3d& block : matrix.diagonal) {
      const Matrix3d regular = block + Matrix3d::Identity() * std::max(1e-9 * block.trace(), 1e-300);
      inverse_.push_back(regular.inverse());
    }
  }
  void Multiply(const VectorXd& v, VectorXd& out) const override { matrix_.Multiply(v, out); }
  void Precondition(const VectorXd& v, VectorXd& out) const override {
    out.resize(v.size());
    for (size_t n = 0; n < inverse_.size(); ++n) out.segment<3>(3 * n) = inverse_[n] * v.segment<3>(3 * n);
  }

 private:
  const BlockMatrix& matrix_;
  std::vector<Matrix3d> inverse_;
};

double LongestMove(const VectorXd& step) {
  return step.size() == 0 ? 0 : step.reshaped<Eigen::RowMajor>(step.size() / 3, 3).rowwise().norm().maxCoeff();
}

}  // namespace

FleshSolver::FleshSolver(const FleshLattice& lattice, const StableNeoHookean& material)
    : lattice_(lattice), body_(lattice.mesh, lattice.shares, material), core_matrix_(body_.EmptyMatrix()) {
  const double scale = kCoreStiffness * material.mu() / (lattice.cell_size * lattice.cell_size);
  for (const CorePoint& point : lattice.core) {
    stiffness_.push_back(scale * point.volume);
    body_.AddSpring(point.tet, stiffness_.back() * point.barycentric * point.barycentric.transpose(), core_matrix_);
  }
}

FleshPose FleshSolver::MakePose(std::vector<Eigen::Affine3d> motions) const {
  FleshPose pose;
  pose.motions = std::move(motions);
  const Vector3d centre = lattice_.mesh.positions.colwise().mean().transpose();
  for (const Eigen::Affine3d& motion : pose.motions) pose.joints.push_back(NearestRigid(motion, centre));
  for (const Influences& influences : lattice_.influences) pose.nodes.push_back(Blend(influences, pose.joints));
  const auto corners_of = [&](int t) {
    std::array<DualQuaternion, 4> corners;
    for (int k = 0; k < 4; ++k) corners[k] = pose.nodes[lattice_.mesh.tets(t, k)];
    return corners;
  };
  for (int t = 0; t < body_.tet_count(); ++t) pose.changes.push_back(ChangeOf(corners_of(t), body_.Gradients(t)));
  for (const CorePoint& point : lattice_.core) {
    const Rigid frame = Interpolate(corners_of(point.tet), point.barycentric).ToRigid();
    const Rigid bones = Blend(point.influences, pose.joints).ToRigid();
    pose.core.push_back(frame.Undo(bones * point.rest));
  }
  return pose;
}

double FleshSolver::Energy(const FleshPose& pose, const Nodes& z) const {
  double energy = body_.Energy(pose.changes, z);
  for (size_t i = 0; i < lattice_.core.size(); ++i) {
    const CorePoint& point = lattice_.core[i];
    Vector3d off = -pose.core[i];
    for (int k = 0; k < 4; ++k) off += point.barycentric[k] * z.row(body_.tets()(point.tet, k)).transpose();
    energy += 0.5 * stiffness_[i] * off.squaredNorm();
  }
  return energy;
}

void FleshSolver::Gradient(const FleshPose& pose, const Nodes& z, VectorXd& gradient) const {
  gradient.setZero(3 * z.rows());
  body_.AddGradient(pose.changes, z, gradient);
  for (size_t i = 0; i < lattice_.core.size(); ++i) {
    const CorePoint& point = lattice_.core[i];
    const auto corners = body_.tets().row(point.tet);
    Vector3d off = -pose.core[i];
    for (int k = 0; k < 4; ++k) off += point.barycentric[k] * z.row(corners[k]).transpose();
    off *= stiffness_[i];
    for (int k = 0; k < 4; ++k) gradient.segment<3>(3 * corners[k]) += point.barycentric[k] * off;
  }
}

SolveReport FleshSolver::Solve(const FleshPose& pose, const FleshSolverOptions& options, Nodes& z) const {
  SolveReport report;
  report.status = SolveStatus::kStepLimit;
  const PinnedNodes all_free({});
  VectorXd gradient, step;
  double energy = Energy(pose, z);
  report.energies.push_back(energy);
  bool is_last = false;
  while (report.newton_steps < options.max_newton_steps) {
    Gradient(pose, z, gradient);
    BlockMatrix matrix = core_matrix_;
    body_.AddHessian(pose.changes, z, matrix);
    const CgOptions cg{.tolerance = is_last ? options.last_cg_tolerance : options.cg_tolerance,
                       .max_iterations = options.max_cg_iterations};
    report.cg_iterations += SolveProjected(System(matrix), all_free, -gradient, cg, step).iterations;
    report.last_step = LongestMove(step);
    const bool is_small = report.last_step <= options.tolerance;
    const double slope = gradient.dot(step);
    double share = 1;
    Nodes moved = z;
    for (; share >= kShortestStep; share /= 2) {
      moved = z + share * step.reshaped<Eigen::RowMajor>(z.rows(), 3);
      const double lower = Energy(pose, moved);
      if (!(lower <= energy + kArmijo * share * slope)) continue;
      energy = lower;
      break;
    }
    if (share < kShortestStep) {
      report.status = is_small ? SolveStatus::kConverged : SolveStatus::kStalled;
      break;
    }
    z = moved;
    ++report.newton_steps;
    report.energies.push_back(energy);
    if (is_last && is_small && share == 1) {
      report.status = SolveStatus::kConverged;
      break;
    }
    is_last = is_small && share == 1;
  }
  report.inverted_tets = InvertedCount(pose, z);
  return report;
}

int FleshSolver::InvertedCount(const FleshPose& pose, const Nodes& z) const {
  int count = 0;
  for (int t = 0; t < body_.tet_count(); ++t) {
    if (lattice_.shares[t] < kMostlyFlesh) continue;
    count += !(body_.DeformationGradient(pose.changes, z, t).determinant() > 0);
  }
  return count;
}

}  // namespace sinew::fem
