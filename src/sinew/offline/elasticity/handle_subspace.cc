#include "sinew/offline/elasticity/handle_subspace.h"

#include <fmt/format.h>

#include <Eigen/QR>

#include "sinew/offline/core/error.h"

namespace sinew::elasticity {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd HandleSubspace::SkinningFunctions(const MatrixXd& rest, const std::vector<Handle>& handles,
                                           const MatrixXd& weights) {
  if (weights.rows() != rest.rows() || weights.cols() != static_cast<Eigen::Index>(handles.size())) {
    throw UsageError(fmt::format("weights of {} nodes and {} handles for {} and {}; give a row of weights per node",
                                 weights.rows(), weights.cols(), rest.rows(), handles.size()));
  }
  Eigen::Index count = 0, at = 0;
  for (const Handle& handle : handles) count += handle.function_count();
  MatrixXd functions(rest.rows(), count);
  for (size_t j = 0; j < handles.size(); ++j) {
    const auto w = weights.col(static_cast<Eigen::Index>(j));
    const int parts = handles[j].function_count() - 1;
    for (int k = 0; k < parts; ++k) {
      functions.col(at++) = w.cwiseProduct((rest.col(k).array() - handles[j].centre[k]).matrix());
    }
    functions.col(at++) = w;
  }
  return functions;
}

HandleSubspace::HandleSubspace(const MatrixXd& rest, std::vector<Handle> handles, const MatrixXd& weights)
    : HandleSubspace(FromFunctions{}, rest, handles, SkinningFunctions(rest, handles, weights)) {}

HandleSubspace HandleSubspace::OfFunctions(const MatrixXd& rest, std::vector<Handle> handles, MatrixXd functions) {
  return {FromFunctions{}, rest, std::move(handles), std::move(functions)};
}

HandleSubspace::HandleSubspace(FromFunctions, const MatrixXd& rest, std::vector<Handle> handles, MatrixXd functions)
    : rest_(rest), handles_(std::move(handles)), functions_(std::move(functions)), offsets_{0} {
  for (const Handle& handle : handles_) offsets_.push_back(offsets_.back() + handle.size());
  const int d = dimension();
  weights_.resize(rest_.rows(), static_cast<Eigen::Index>(handles_.size()));
  if (functions_.rows() == rest_.rows() && d * functions_.cols() == state_size()) {
    for (size_t j = 0; j < handles_.size(); ++j) {
      weights_.col(static_cast<Eigen::Index>(j)) = functions_.col(offsets_[j + 1] / d - 1);
    }
  }
  if (functions_.rows() != rest_.rows() || d * functions_.cols() != state_size() || !functions_.allFinite() ||
      !((weights_.rowwise().sum().array() - 1).abs() < 1e-6).all()) {
    throw UsageError(
        fmt::format("{} rows of {} functions for {} nodes and {} handles; give a row per node whose weights sum to 1",
                    functions_.rows(), functions_.cols(), rest_.rows(), handles_.size()));
  }
  std::vector<Eigen::Triplet<double>> U, B;
  for (int n = 0; n < rest_.rows(); ++n) {
    for (size_t j = 0; j < handles_.size(); ++j) {
      const int parts = handles_[j].function_count() - 1, first = offsets_[j] / d;
      for (int k = 0; k <= parts; ++k) {
        const double value = functions_(n, first + k);
        if (value == 0) continue;
        B.emplace_back(n, first + k, value);
        for (int row = 0; row < d; ++row) {
          U.emplace_back(d * n + row, offsets_[j] + (k < parts ? d * row + k : d * parts + row), value);
        }
      }
    }
  }
  U_.resize(d * rest_.rows(), state_size());
  U_.setFromTriplets(U.begin(), U.end());
  B_.resize(rest_.rows(), functions_.cols());
  B_.setFromTriplets(B.begin(), B.end());
}

VectorXd HandleSubspace::RestState() const {
  const int d = dimension();
  VectorXd state = VectorXd::Zero(state_size());
  for (size_t j = 0; j < handles_.size(); ++j) {
    for (int k = 0; k < d && handles_[j].kind == HandleKind::kFrame; ++k) state[offsets_[j] + (d + 1) * k] = 1;
    state.segment(offsets_[j + 1] - d, d) = handles_[j].centre;
  }
  return state;
}

VectorXd HandleSubspace::Project(const VectorXd& positions) const {
  const int d = dimension();
  const MatrixXd X = positions.reshaped<Eigen::RowMajor>(rest_.rows(), d);
  const MatrixXd solved = functions_.colPivHouseholderQr().solve(X);  // one row per function
  VectorXd state(state_size());
  for (size_t j = 0; j < handles_.size(); ++j) {
    const int parts = handles_[j].function_count() - 1, first = offsets_[j] / d;
    for (int k = 0; k <= parts; ++k) {
      for (int row = 0; row < d; ++row) {
        state[offsets_[j] + (k < parts ? d * row + k : d * parts + row)] = solved(first + k, row);
      }
    }
  }
  return state;
}

VectorXd CarryState(const HandleSubspace& subspace, const VectorXd& state, const SmallMatrix& R,
                    const SmallVector& position) {
  const int d = subspace.dimension();
  VectorXd carried = state;
  for (size_t j = 0; j < subspace.handles().size(); ++j) {
    const int begin = subspace.offsets()[j], end = subspace.offsets()[j + 1];
    carried.segment(end - d, d) = R.transpose() * (state.segment(end - d, d) - position);
    if (end - begin == d) continue;
    const SmallMatrix A = state.segment(begin, d * d).reshaped<Eigen::RowMajor>(d, d);
    carried.segment(begin, d * d) = SmallMatrix(R.transpose() * A).reshaped<Eigen::RowMajor>();
  }
  return carried;
}

}  // namespace sinew::elasticity
