#include "sinew/offline/scenes/object_body.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "sinew/offline/core/farthest.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/elasticity/stable_neo_hookean.h"

namespace sinew::scenes {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using elasticity::Handle;

constexpr int kFirstCubature = 200, kStates = 50;

// Random states about rest, one row per function, for measuring cubature.
std::vector<MatrixXd> DrawStates(const ObjectBody& body) {
  Random random(1, 77);
  const double size = body.Size();
  const VectorXd carries = body.PositionFunctions();
  std::vector<MatrixXd> states(kStates, body.RestRows());
  for (MatrixXd& state : states) {
    for (Eigen::Index k = 0; k < state.rows(); ++k) {
      for (int r = 0; r < body.dimension(); ++r) {
        state(k, r) += (carries[k] > 0 ? 0.05 * size : 0.15) * random.Normal();
      }
    }
  }
  return states;
}

// Gradient of the elastic energy by Q, integrated over some of the elements; plane strain in the plane.
MatrixXd GradientOf(const std::vector<ObjectElement>& elements, const std::vector<int>& chosen,
                    const VectorXd& measures, const elasticity::StableNeoHookean& material, const MatrixXd& state) {
  const Eigen::Index d = state.cols();
  MatrixXd gradient = MatrixXd::Zero(state.rows(), d);
  for (size_t i = 0; i < chosen.size(); ++i) {
    const MatrixXd& G = elements[static_cast<size_t>(chosen[i])].gradients;
    Eigen::Matrix3d F = Eigen::Matrix3d::Identity();
    F.topLeftCorner(d, d) = state.transpose() * G;
    const Eigen::Matrix3d P = material.Stress(F);
    gradient += measures[static_cast<Eigen::Index>(i)] * G * P.topLeftCorner(d, d).transpose();
  }
  return gradient;
}

// Each chosen cell stands for the measure that is nearest to it.
Cubature Spread(const ObjectBody& body, const std::vector<ObjectElement>& all, int count) {
  MatrixXd middles = MatrixXd::Zero(body.cell_count(), body.dimension());
  for (int t = 0; t < body.cell_count(); ++t) {
    for (const int corner : body.cells.row(t)) middles.row(t) += body.positions.row(corner) / (body.dimension() + 1);
  }
  std::vector<int> nearest(all.size(), 0);
  VectorXd best = VectorXd::Constant(middles.rows(), INFINITY);
  int asked = 0;
  const auto distances_from = [&](int i) -> Distances<double> {
    Distances<double> distances = (middles.rowwise() - middles.row(i)).rowwise().norm();
    for (Eigen::Index t = 0; t < middles.rows(); ++t) {
      if (distances[t] >= best[t]) continue;
      best[t] = distances[t];
      nearest[static_cast<size_t>(t)] = asked;
    }
    ++asked;
    return distances;
  };
  Distances<double> distance = (middles.rowwise() - middles.colwise().mean()).rowwise().norm();
  Cubature cubature;
  cubature.elements = ChooseFarthest<double>(count, false, distances_from, distance);
  cubature.measures = VectorXd::Zero(static_cast<Eigen::Index>(cubature.elements.size()));
  for (size_t t = 0; t < all.size(); ++t) cubature.measures[nearest[t]] += all[t].measure;
  return cubature;
}

}  // namespace

MatrixXd ObjectBody::RestRows() const {
  const int d = dimension();
  MatrixXd rows = MatrixXd::Zero(basis.cols(), d);
  Eigen::Index first = 0;
  for (const Handle& handle : handles) {
    if (handle.kind == elasticity::HandleKind::kFrame) rows.block(first, 0, d, d).setIdentity();
    first += handle.function_count();
    rows.row(first - 1) = handle.centre.transpose();
  }
  return rows;
}

VectorXd ObjectBody::PositionFunctions() const {
  VectorXd carries = VectorXd::Zero(basis.cols());
  Eigen::Index next = 0;
  for (const Handle& handle : handles) carries[(next += handle.function_count()) - 1] = 1;
  return carries;
}

std::vector<ObjectElement> ElementsOf(const ObjectBody& body) {
  const int d = body.dimension();
  const double simplices = d == 2 ? 2 : 6;  // in a parallelepiped
  std::vector<ObjectElement> elements;
  for (int t = 0; t < body.cell_count(); ++t) {
    MatrixXd edges(d, d), values(d, body.basis.cols());
    for (int k = 0; k < d; ++k) {
      const int corner = body.cells(t, k + 1), first = body.cells(t, 0);
      edges.col(k) = (body.positions.row(corner) - body.positions.row(first)).transpose();
      values.row(k) = body.basis.row(corner) - body.basis.row(first);
    }
    elements.push_back({edges.determinant() / simplices, values.transpose() * edges.inverse()});
  }
  return elements;
}

MatrixXd MassOf(const ObjectBody& body, const std::vector<ObjectElement>& elements) {
  const int d = body.dimension();
  MatrixXd weighed = MatrixXd::Zero(body.basis.rows(), body.basis.cols());
  for (int t = 0; t < body.cell_count(); ++t) {
    const double share = body.density * elements[static_cast<size_t>(t)].measure / ((d + 1) * (d + 2));
    Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(body.basis.cols());
    for (const int corner : body.cells.row(t)) sum += body.basis.row(corner);
    for (const int corner : body.cells.row(t)) weighed.row(corner) += share * (sum + body.basis.row(corner));
  }
  const MatrixXd mass = body.basis.transpose() * weighed;
  return (mass + mass.transpose()) / 2;
}

Cubature ChooseCubature(const ObjectBody& body, const std::vector<ObjectElement>& elements, const MatrixXd& mass,
                        int count, double enough) {
  const auto material = elasticity::StableNeoHookean::FromYoungPoisson(body.young, body.poisson);
  const Eigen::LLT<MatrixXd> factor(mass);
  const auto all = static_cast<int>(elements.size());
  std::vector<int> every(elements.size());
  VectorXd measures(all);
  for (int t = 0; t < all; ++t) {
    every[static_cast<size_t>(t)] = t;
    measures[t] = elements[static_cast<size_t>(t)].measure;
  }
  const std::vector<MatrixXd> states = DrawStates(body);
  std::vector<MatrixXd> full;
  double total = 0;
  // Accelerations are compared: the gradient in the metric of the inverse mass.
  for (const MatrixXd& state : states) {
    full.push_back(GradientOf(elements, every, measures, material, state));
    total += factor.matrixL().solve(full.back()).squaredNorm();
  }
  for (int tried = count > 0 ? count : kFirstCubature;; tried += tried / 2) {
    Cubature cubature = Spread(body, elements, std::min(tried, all));
    double off = 0;
    for (size_t s = 0; s < states.size(); ++s) {
      const MatrixXd sampled = GradientOf(elements, cubature.elements, cubature.measures, material, states[s]);
      off += factor.matrixL().solve(sampled - full[s]).squaredNorm();
    }
    cubature.error = std::sqrt(off / total);
    if (count > 0 || cubature.error <= enough || tried >= all) return cubature;
  }
}

}  // namespace sinew::scenes
