#include "sinew/offline/elasticity/quasi_static.h"

#include <fmt/format.h>

#include "sinew/offline/core/error.h"

namespace sinew::elasticity {
namespace {

using Eigen::VectorXd;

// Elastic energy minus the work of the forces. The work is counted from the start positions: counted from the origin,
// its rounding error would grow with the distance from there.
class LoadedBody : public Objective {
 public:
  LoadedBody(const ElasticBody& body, const Nodes* forces, const Nodes& start, double length)
      : body_(body), forces_(forces), start_(start), length_(length) {}

  double Energy(const VectorXd& x) const override {
    const Nodes nodes = NodesOf(x);
    return body_.Energy(nodes) - (forces_ ? forces_->cwiseProduct(nodes - start_).sum() : 0);
  }
  void Gradient(const VectorXd& x, VectorXd& gradient) const override {
    body_.Gradient(NodesOf(x), gradient);
    if (forces_) gradient -= forces_->reshaped<Eigen::RowMajor>();
  }
  const LinearSystem& Hessian(const VectorXd& x) override {
    body_.Hessian(NodesOf(x), hessian_);
    return hessian_;
  }
  int dimension() const override { return 3; }
  double Length() const override { return length_; }
  double ForceScale() const override { return body_.ForceScale(); }
  double EnergyScale() const override { return body_.EnergyScale(); }

 private:
  static Nodes NodesOf(const VectorXd& x) { return x.reshaped<Eigen::RowMajor>(x.size() / 3, 3); }

  const ElasticBody& body_;
  const Nodes* forces_;
  const Nodes start_;
  double length_;
  ElasticHessian hessian_;
};

}  // namespace

QuasiStaticSolver::QuasiStaticSolver(const TetMesh& rest, const Elasticity& elasticity,
                                     const QuasiStaticOptions& options)
    : body_(rest, elasticity), options_(options), diagonal_(0) {
  if (rest.node_count() > 0) {
    diagonal_ = (rest.positions.colwise().maxCoeff() - rest.positions.colwise().minCoeff()).norm();
  }
}

SolveReport QuasiStaticSolver::Solve(const Projector& projector, const Nodes* forces, Nodes& x) const {
  if (x.rows() != body_.node_count() || (forces && forces->rows() != x.rows())) {
    throw UsageError(fmt::format("{} positions and {} forces for a body of {} nodes", x.rows(),
                                 forces ? forces->rows() : 0, body_.node_count()));
  }
  if (!x.allFinite() || (forces && !forces->allFinite())) {
    throw UsageError("a position or force is not finite; give the solver finite ones");
  }
  LoadedBody objective(body_, forces, x, diagonal_);
  VectorXd moved = x.reshaped<Eigen::RowMajor>();
  SolveReport report;
  static_cast<NewtonReport&>(report) = Minimise(objective, projector, options_, moved);
  x = moved.reshaped<Eigen::RowMajor>(x.rows(), 3);
  report.inverted_tets = body_.InvertedCount(x);
  return report;
}

}  // namespace sinew::elasticity
