#include "sinew/offline/contact/plane_object.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "sinew/offline/core/farthest.h"

namespace sinew::contact {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;
using Eigen::VectorXd;
using elasticity::HandleKind;
using elasticity::PlaneHandle;

constexpr double kWormLength = 1, kWormWidth = 0.2;
// Distance of the joints from the middle, and how far the weights of the bones overlap on either side of them.
constexpr double kJoint = kWormLength / 6, kOverlap = 0.12;
constexpr double kMaxBend = 0.7, kShortest = 0.92, kLongest = 1.1;

double SmoothStep(double t) {
  t = std::clamp(t, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

Eigen::MatrixXd WormWeights(const elasticity::PlaneNodes& rest) {
  Eigen::MatrixXd weights(rest.rows(), 3);
  for (int n = 0; n < rest.rows(); ++n) {
    const double right = SmoothStep((rest(n, 0) - kJoint + kOverlap) / (2 * kOverlap));
    const double left = SmoothStep((-rest(n, 0) - kJoint + kOverlap) / (2 * kOverlap));
    weights.row(n) << left, 1 - left - right, right;
  }
  return weights;
}

Matrix2d Turned(double angle, double stretch) {
  Matrix2d A;
  A << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
  return A * Vector2d(stretch, 1 / stretch).asDiagonal();
}

// One row per state; entries of an edge are divided by their standard deviation over the candidates, all six by one.
Eigen::MatrixXd NormalisedRows(const PlaneObject& object, const std::vector<VectorXd>& candidates,
                               const std::vector<VectorXd>& states) {
  const auto rows_of = [&](const std::vector<VectorXd>& list) {
    Eigen::MatrixXd rows(list.size(), RelativeHandles(object, object.subspace.RestState()).size());
    for (size_t i = 0; i < list.size(); ++i) rows.row(i) = RelativeHandles(object, list[i]).transpose();
    return rows;
  };
  const Eigen::MatrixXd all = rows_of(candidates);
  Eigen::MatrixXd rows = rows_of(states);
  const auto width = all.cols() / static_cast<Eigen::Index>(object.graph.size());
  for (size_t e = 0; e < object.graph.size(); ++e) {
    const Eigen::MatrixXd edge = all.middleCols(e * width, width);
    const double spread = (edge.rowwise() - edge.colwise().mean()).norm() / std::sqrt(static_cast<double>(edge.rows()));
    if (spread > 0) rows.middleCols(e * width, width) /= spread;
  }
  return rows;
}

}  // namespace

double PlaneObject::Diagonal() const {
  return (mesh.positions.colwise().maxCoeff() - mesh.positions.colwise().minCoeff()).norm();
}

PlaneObject MakeWorm(const WormOptions& options) {
  elasticity::PlaneMesh mesh = elasticity::MakePlaneCapsule(kWormLength, kWormWidth, options.triangles);
  std::vector<PlaneHandle> handles;
  for (const double x : {-2 * kJoint, 0.0, 2 * kJoint}) handles.push_back({HandleKind::kFrame, {x, 0}});
  elasticity::HandleSubspace subspace(mesh.positions, handles, WormWeights(mesh.positions));
  elasticity::NullSpace null_space(subspace.B(), 2);
  elasticity::PlaneBody body(mesh, options.young, options.poisson);
  std::vector<int> loop = elasticity::BoundaryLoop(mesh);
  return {.mesh = std::move(mesh),
          .loop = std::move(loop),
          .subspace = std::move(subspace),
          .null_space = std::move(null_space),
          .graph = {{1, 0}, {1, 2}},
          .young = options.young,
          .poisson = options.poisson,
          .body = std::move(body),
          .collider = elasticity::MakePlaneCollider(options.collider, options.collider_radius),
          .name = fmt::format("worm of {} triangles, young {}, poisson {}, {} of radius {}", options.triangles,
                              options.young, options.poisson, options.collider, options.collider_radius)};
}

VectorXd DrawWormState(const PlaneObject& worm, Random& random) {
  VectorXd state = worm.subspace.RestState();
  const Matrix2d middle = Turned(0, random.Uniform(kShortest, kLongest));
  const auto set = [&](int bone, const Matrix2d& A, const Vector2d& p) {
    state.segment<4>(6 * bone) = A.reshaped<Eigen::RowMajor>();
    state.segment<2>(6 * bone + 4) = p;
  };
  set(1, middle, Vector2d::Zero());
  for (const int bone : {0, 2}) {
    const double side = bone - 1;
    const Matrix2d A = Turned(random.Uniform(-kMaxBend, kMaxBend), random.Uniform(kShortest, kLongest));
    const Vector2d half(side * kJoint, 0);
    set(bone, A, middle * half + A * half);
  }
  return state;
}

VectorXd RelativeHandles(const PlaneObject& object, const VectorXd& state) {
  const auto& subspace = object.subspace;
  std::vector<double> values;
  for (const auto& [from, to] : object.graph) {
    const auto part = [&](int handle) {
      return state.segment(subspace.offsets()[handle], subspace.handles()[handle].size());
    };
    const VectorXd a = part(from), b = part(to);
    const bool is_frame = a.size() == 6;
    const Matrix2d A = is_frame ? Matrix2d(a.head<4>().reshaped<Eigen::RowMajor>(2, 2)) : Matrix2d::Identity();
    const Matrix2d inverse = A.inverse();
    if (b.size() == 6) {
      const Matrix2d relative = inverse * b.head<4>().reshaped<Eigen::RowMajor>(2, 2);
      values.insert(values.end(), relative.data(), relative.data() + 4);
    }
    const Vector2d offset = inverse * (b.tail<2>() - a.tail<2>());
    values.insert(values.end(), offset.data(), offset.data() + 2);
  }
  return Eigen::Map<VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

std::vector<VectorXd> ChooseStates(const PlaneObject& object, const std::vector<VectorXd>& candidates, int count,
                                   double* radius) {
  const Eigen::MatrixXd rows = NormalisedRows(object, candidates, candidates);
  const Eigen::MatrixXd rest = NormalisedRows(object, candidates, {object.subspace.RestState()});
  Distances<double> distance = (rows.rowwise() - rest.row(0)).rowwise().norm();
  const auto distances_from = [&](int i) -> Distances<double> {
    return (rows.rowwise() - rows.row(i)).rowwise().norm();
  };
  std::vector<VectorXd> chosen = {object.subspace.RestState()};
  for (const int i : ChooseFarthest<double>(count - 1, true, distances_from, distance)) chosen.push_back(candidates[i]);
  if (radius != nullptr) *radius = distance.maxCoeff();
  return chosen;
}

double NearestState(const PlaneObject& object, const std::vector<VectorXd>& candidates,
                    const std::vector<VectorXd>& others, const VectorXd& state) {
  const Eigen::MatrixXd rows = NormalisedRows(object, candidates, others);
  const Eigen::MatrixXd own = NormalisedRows(object, candidates, {state});
  return (rows.rowwise() - own.row(0)).rowwise().norm().minCoeff();
}

}  // namespace sinew::contact
