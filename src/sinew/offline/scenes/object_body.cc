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

constexpr int kFirstCubature = 200, kStates = 50, kFitStates = 100;
// Streams of random numbers: for measuring cubature, and for fitting it.
constexpr uint64_t kMeasureStream = 77, kFitStream = 78;

// Random states about rest, one row per function.
std::vector<MatrixXd> DrawStates(const ObjectBody& body, int count, uint64_t stream) {
  Random random(1, stream);
  const double size = body.Size();
  const VectorXd carries = body.PositionFunctions();
  std::vector<MatrixXd> states(static_cast<size_t>(count), body.RestRows());
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

// Smallest |A w - b|^2 + ridge |w - w_0|^2 over all w that are not negative, by descent along one coordinate after
// another (of A'A, which has few rows). w: on entry w_0.
void FitNonNegative(const MatrixXd& A, const VectorXd& b, double ridge, VectorXd& w) {
  constexpr int kSweeps = 300;
  MatrixXd normal = A.transpose() * A;
  normal.diagonal().array() += ridge;
  const VectorXd wanted = A.transpose() * b + ridge * w;
  VectorXd slope = normal * w - wanted;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    double largest = 0;
    for (Eigen::Index i = 0; i < w.size(); ++i) {
      const double step = std::max(-w[i], -slope[i] / normal(i, i));
      if (step == 0) continue;
      w[i] += step;
      slope += step * normal.col(i);
      largest = std::max(largest, std::abs(step));
    }
    if (largest <= 1e-6 * w.maxCoeff()) return;
  }
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

// What a body's gradients are compared in: accelerations, the gradient in the metric of the inverse mass.
class Accelerations {
 public:
  Accelerations(const ObjectBody& body, const std::vector<ObjectElement>& elements, const MatrixXd& mass)
      : elements_(elements),
        material_(elasticity::StableNeoHookean::FromYoungPoisson(body.young, body.poisson)),
        factor_(mass) {
    every_.resize(elements.size());
    measures_.resize(static_cast<Eigen::Index>(elements.size()));
    for (size_t t = 0; t < elements.size(); ++t) {
      every_[t] = static_cast<int>(t);
      measures_[static_cast<Eigen::Index>(t)] = elements[t].measure;
    }
  }

  MatrixXd OfAll(const MatrixXd& state) const { return Of(every_, measures_, state); }
  MatrixXd Of(const std::vector<int>& chosen, const VectorXd& measures, const MatrixXd& state) const {
    return factor_.matrixL().solve(GradientOf(elements_, chosen, measures, material_, state));
  }

 private:
  const std::vector<ObjectElement>& elements_;
  elasticity::StableNeoHookean material_;
  Eigen::LLT<MatrixXd> factor_;
  std::vector<int> every_;
  VectorXd measures_;
};

// Changes the measures so that forces are those of all cells in random states, as nearly as the chosen cells can give
// them; cells that come to stand for nothing are left out (S. An, T. Kim, D. James, "Optimizing Cubature for Efficient
// Integration of Subspace Deformations", 2008, on cells that are spread evenly). States count alike, whatever their
// forces.
void FitMeasures(const ObjectBody& body, const Accelerations& accelerations, Cubature& cubature) {
  constexpr double kRidge = 1e-3;
  const std::vector<MatrixXd> states = DrawStates(body, kFitStates, kFitStream);
  const auto count = static_cast<Eigen::Index>(cubature.elements.size()), numbers = states.front().size();
  MatrixXd A(numbers * kFitStates, count);
  VectorXd b(numbers * kFitStates);
  for (int s = 0; s < kFitStates; ++s) {
    const MatrixXd& state = states[static_cast<size_t>(s)];
    const MatrixXd wanted = accelerations.OfAll(state);
    const double scale = 1 / wanted.norm();
    b.segment(s * numbers, numbers) = scale * wanted.reshaped();
    for (Eigen::Index i = 0; i < count; ++i) {
      const std::vector<int> one = {cubature.elements[static_cast<size_t>(i)]};
      // In shares of what the cell stands for now.
      A.col(i).segment(s * numbers, numbers) =
          scale * accelerations.Of(one, cubature.measures.segment(i, 1), state).reshaped();
    }
  }
  VectorXd shares = VectorXd::Ones(count);
  FitNonNegative(A, b, kRidge * A.squaredNorm() / static_cast<double>(count), shares);
  Cubature kept;
  std::vector<double> measures;
  for (Eigen::Index i = 0; i < count; ++i) {
    if (!(shares[i] > 1e-6)) continue;
    kept.elements.push_back(cubature.elements[static_cast<size_t>(i)]);
    measures.push_back(shares[i] * cubature.measures[i]);
  }
  kept.measures = Eigen::Map<const VectorXd>(measures.data(), static_cast<Eigen::Index>(measures.size()));
  cubature = kept;
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
  const Accelerations accelerations(body, elements, mass);
  const auto all = static_cast<int>(elements.size());
  const std::vector<MatrixXd> states = DrawStates(body, kStates, kMeasureStream);
  std::vector<MatrixXd> full;
  double total = 0;
  for (const MatrixXd& state : states) {
    full.push_back(accelerations.OfAll(state));
    total += full.back().squaredNorm();
  }
  for (int tried = count > 0 ? count : kFirstCubature;; tried += tried / 2) {
    Cubature cubature = Spread(body, elements, std::min(tried, all));
    // In the plane measures are also those of masses (dynamics/dents.h), and stay what they are.
    if (body.dimension() == 3 && count > 0 && count < all) FitMeasures(body, accelerations, cubature);
    double off = 0;
    for (size_t s = 0; s < states.size(); ++s) {
      off += (accelerations.Of(cubature.elements, cubature.measures, states[s]) - full[s]).squaredNorm();
    }
    cubature.error = std::sqrt(off / total);
    if (count > 0 || cubature.error <= enough || tried >= all) return cubature;
  }
}

}  // namespace sinew::scenes
