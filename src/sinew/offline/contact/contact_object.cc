#include "sinew/offline/contact/contact_object.h"

#include <Eigen/LU>
#include <cmath>

#include "sinew/offline/core/farthest.h"

namespace sinew::contact {
namespace {

using Eigen::VectorXd;

// One row per state; entries of an edge are divided by their standard deviation over the candidates, all by one.
Eigen::MatrixXd NormalisedRows(const ContactObject& object, const std::vector<VectorXd>& candidates,
                               const std::vector<VectorXd>& states) {
  const auto rows_of = [&](const std::vector<VectorXd>& list) {
    Eigen::MatrixXd rows(list.size(), RelativeHandles(object, object.subspace.RestState()).size());
    for (size_t i = 0; i < list.size(); ++i) rows.row(i) = RelativeHandles(object, list[i]).transpose();
    return rows;
  };
  const Eigen::MatrixXd all = rows_of(candidates);
  Eigen::MatrixXd rows = rows_of(states);
  Eigen::Index first = 0;
  for (const auto& [from, to] : object.graph) {
    const int width = object.subspace.handles()[to].size();
    const Eigen::MatrixXd edge = all.middleCols(first, width);
    const double spread = (edge.rowwise() - edge.colwise().mean()).norm() / std::sqrt(static_cast<double>(edge.rows()));
    if (spread > 0) rows.middleCols(first, width) /= spread;
    first += width;
  }
  return rows;
}

}  // namespace

ContactObject::ContactObject(elasticity::HandleSubspace subspace_in, Pairs edges_in, Pairs graph_in,
                             double collider_size_in, std::string name_in)
    : subspace(std::move(subspace_in)),
      null_space(subspace.B(), subspace.dimension()),
      edges(std::move(edges_in)),
      graph(std::move(graph_in)),
      collider_size(collider_size_in),
      name(std::move(name_in)) {}

double ContactObject::Diagonal() const {
  return (subspace.rest().colwise().maxCoeff() - subspace.rest().colwise().minCoeff()).norm();
}

VectorXd RelativeHandles(const ContactObject& object, const VectorXd& state) {
  const auto& subspace = object.subspace;
  const int d = object.dimension();
  std::vector<double> values;
  for (const auto& [from, to] : object.graph) {
    const auto part = [&](int handle) {
      return state.segment(subspace.offsets()[handle], subspace.handles()[handle].size());
    };
    const VectorXd a = part(from), b = part(to);
    const bool is_frame = a.size() > d;
    const SmallMatrix A = is_frame ? SmallMatrix(a.head(d * d).reshaped<Eigen::RowMajor>(d, d))
                                   : SmallMatrix(SmallMatrix::Identity(d, d));
    const SmallMatrix inverse = A.inverse();
    if (b.size() > d) {
      const SmallMatrix relative = inverse * b.head(d * d).reshaped<Eigen::RowMajor>(d, d);
      values.insert(values.end(), relative.data(), relative.data() + relative.size());
    }
    const SmallVector offset = inverse * (b.tail(d) - a.tail(d));
    values.insert(values.end(), offset.data(), offset.data() + d);
  }
  return Eigen::Map<VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

std::vector<VectorXd> ChooseStates(const ContactObject& object, const std::vector<VectorXd>& candidates, int count,
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

double NearestState(const ContactObject& object, const std::vector<VectorXd>& candidates,
                    const std::vector<VectorXd>& others, const VectorXd& state) {
  const Eigen::MatrixXd rows = NormalisedRows(object, candidates, others);
  const Eigen::MatrixXd own = NormalisedRows(object, candidates, {state});
  return (rows.rowwise() - own.row(0)).rowwise().norm().minCoeff();
}

}  // namespace sinew::contact
