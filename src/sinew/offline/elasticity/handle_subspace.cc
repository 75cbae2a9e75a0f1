#include "sinew/offline/elasticity/handle_subspace.h"

#include <fmt/format.h>

#include "sinew/offline/core/error.h"

namespace sinew::elasticity {

using Eigen::Matrix2d;
using Eigen::Vector2d;
using Eigen::VectorXd;

HandleSubspace::HandleSubspace(const PlaneNodes& rest, std::vector<PlaneHandle> handles, Eigen::MatrixXd weights)
    : rest_(rest), handles_(std::move(handles)), weights_(std::move(weights)), offsets_{0} {
  if (weights_.rows() != rest_.rows() || weights_.cols() != static_cast<Eigen::Index>(handles_.size()) ||
      !weights_.allFinite() || !((weights_.rowwise().sum().array() - 1).abs() < 1e-6).all()) {
    throw UsageError(
        fmt::format("weights of {} nodes and {} handles for {} and {}; give a row of weights per node that "
                    "sums to 1",
                    weights_.rows(), weights_.cols(), rest_.rows(), handles_.size()));
  }
  for (const PlaneHandle& handle : handles_) offsets_.push_back(offsets_.back() + handle.size());
  std::vector<Eigen::Triplet<double>> U, B;
  for (int n = 0; n < rest_.rows(); ++n) {
    for (size_t j = 0; j < handles_.size(); ++j) {
      const double w = weights_(n, static_cast<Eigen::Index>(j));
      if (w == 0) continue;
      const Vector2d local = rest_.row(n).transpose() - handles_[j].centre;
      const bool is_frame = handles_[j].kind == HandleKind::kFrame;
      const int parts = is_frame ? 2 : 0;
      for (int k = 0; k < parts; ++k) B.emplace_back(n, offsets_[j] / 2 + k, w * local[k]);
      B.emplace_back(n, offsets_[j] / 2 + parts, w);
      for (int row = 0; row < 2; ++row) {
        for (int k = 0; k < parts; ++k) U.emplace_back(2 * n + row, offsets_[j] + 2 * row + k, w * local[k]);
        U.emplace_back(2 * n + row, offsets_[j] + 2 * parts + row, w);
      }
    }
  }
  U_.resize(2 * rest_.rows(), state_size());
  U_.setFromTriplets(U.begin(), U.end());
  B_.resize(rest_.rows(), state_size() / 2);
  B_.setFromTriplets(B.begin(), B.end());
}

VectorXd HandleSubspace::RestState() const {
  VectorXd state = VectorXd::Zero(state_size());
  for (size_t j = 0; j < handles_.size(); ++j) {
    if (handles_[j].kind == HandleKind::kFrame) state[offsets_[j]] = state[offsets_[j] + 3] = 1;
    state.segment<2>(offsets_[j + 1] - 2) = handles_[j].centre;
  }
  return state;
}

VectorXd CarryState(const HandleSubspace& subspace, const VectorXd& state, const Matrix2d& R,
                    const Vector2d& position) {
  VectorXd carried = state;
  for (size_t j = 0; j < subspace.handles().size(); ++j) {
    const int begin = subspace.offsets()[j], end = subspace.offsets()[j + 1];
    carried.segment<2>(end - 2) = R.transpose() * (state.segment<2>(end - 2) - position);
    if (end - begin == 2) continue;
    const Matrix2d A = state.segment<4>(begin).reshaped<Eigen::RowMajor>(2, 2);
    carried.segment<4>(begin) = Matrix2d(R.transpose() * A).reshaped<Eigen::RowMajor>();
  }
  return carried;
}

}  // namespace sinew::elasticity
