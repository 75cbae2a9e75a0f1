#include "sinew/offline/flesh/flesh_body.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>

#include "sinew/offline/core/error.h"

namespace sinew::flesh {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Matrix9x12 = Eigen::Matrix<double, 9, 12>;

constexpr int kPairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

// Derivatives of the deformation gradient in the frame of its singular vectors. Column 3 k + c has the columns of
// U^T (dF / dz_k,c) V, one below the other, with
//   dF / dz_k,c = e_c grad b_k^T + b_k [omega_j x e_c]_j.
Matrix9x12 DerivativesInFrame(const elasticity::ProjectedSpectrum& s, const Eigen::Matrix<double, 3, 4>& gradients,
                              const FleshPoint& point) {
  const Eigen::Matrix<double, 3, 4> g = s.V.transpose() * gradients;
  Matrix9x12 result;
  for (int c = 0; c < 3; ++c) {
    Matrix3d turning;
    for (int j = 0; j < 3; ++j) turning.col(j) = point.change.omega.col(j).cross(Vector3d::Unit(c));
    const Matrix3d turned = s.U.transpose() * turning * s.V;
    const Vector3d u = s.U.row(c).transpose();
    for (int k = 0; k < 4; ++k) {
      for (int j = 0; j < 3; ++j) {
        result.block<3, 1>(3 * j, 3 * k + c) = point.barycentric[k] * turned.col(j) + g(j, k) * u;
      }
    }
  }
  return result;
}

// Product of the spectrum's 9x9 matrix with D.
Matrix9x12 TimesSpectrum(const elasticity::ProjectedSpectrum& s, const Matrix9x12& D) {
  const auto at = [](int row, int column) { return row + 3 * column; };
  Matrix9x12 result;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    result.row(at(k, k)) =
        s.scaling(k, 0) * D.row(at(0, 0)) + s.scaling(k, 1) * D.row(at(1, 1)) + s.scaling(k, 2) * D.row(at(2, 2));
    result.row(at(i, j)) = s.same[k] * D.row(at(i, j)) + s.swapped[k] * D.row(at(j, i));
    result.row(at(j, i)) = s.same[k] * D.row(at(j, i)) + s.swapped[k] * D.row(at(i, j));
  }
  return result;
}

}  // namespace

int BlockMatrix::Slot(int i, int j) const {
  const auto row = pattern[i];
  return pattern.offsets[i] + static_cast<int>(std::lower_bound(row.begin(), row.end(), j) - row.begin());
}

void BlockMatrix::Multiply(const VectorXd& v, VectorXd& out) const {
  out.resize(v.size());
  for (size_t i = 0; i < diagonal.size(); ++i) out.segment<3>(3 * i) = diagonal[i] * v.segment<3>(3 * i);
  for (int i = 0; i < pattern.row_count(); ++i) {
    const Vector3d own = v.segment<3>(3 * i);
    Vector3d sum = Vector3d::Zero();
    for (int item = pattern.offsets[i]; item < pattern.offsets[i + 1]; ++item) {
      const int j = pattern.items[item];
      sum += upper[item] * v.segment<3>(3 * j);
      out.segment<3>(3 * j) += upper[item].transpose() * own;
    }
    out.segment<3>(3 * i) += sum;
  }
}

FleshBody::FleshBody(const TetMesh& rest, const elasticity::StableNeoHookean& material)
    : material_(material), node_count_(rest.node_count()), tets_(rest.tets) {
  std::vector<std::vector<int>> rows(node_count_);
  for (int t = 0; t < tet_count(); ++t) {
    for (const auto& [a, b] : kPairs) {
      const auto [low, high] = std::minmax(tets_(t, a), tets_(t, b));
      rows[low].push_back(high);
    }
  }
  for (std::vector<int>& row : rows) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
  pattern_ = BuildCsr(node_count_, [&](const auto& put) {
    for (int n = 0; n < node_count_; ++n) {
      for (const int other : rows[n]) put(n, other);
    }
  });
  const BlockMatrix matrix = EmptyMatrix();
  for (int t = 0; t < tet_count(); ++t) {
    const TetCorners corners = CornersOf(rest, t);
    if (!(MeanRatio(corners) > 1e-6)) {
      throw UsageError(fmt::format("tetrahedron {} is flat or inverted at rest; make the mesh again", t));
    }
    Element element;
    element.gradients.rightCols<3>() = EdgeMatrix(corners).inverse().transpose();
    element.gradients.col(0) = -element.gradients.rightCols<3>().rowwise().sum();
    element.volume = SignedVolume(corners);
    for (int p = 0; p < 6; ++p) {
      const auto [low, high] = std::minmax(tets_(t, kPairs[p][0]), tets_(t, kPairs[p][1]));
      element.slots[p] = matrix.Slot(low, high);
    }
    elements_.push_back(element);
  }
}

Matrix3d FleshBody::DeformationGradient(const FleshPoint& point, const Nodes& z) const {
  Matrix3d F = point.change.tau;
  Vector3d here = Vector3d::Zero();
  for (int k = 0; k < 4; ++k) {
    const Vector3d corner = z.row(tets_(point.tet, k)).transpose();
    here += point.barycentric[k] * corner;
    F += corner * elements_[point.tet].gradients.col(k).transpose();
  }
  for (int j = 0; j < 3; ++j) F.col(j) += point.change.omega.col(j).cross(here);
  return F;
}

double FleshBody::Energy(const std::vector<FleshPoint>& points, const Nodes& z) const {
  double energy = 0;
  for (const FleshPoint& point : points) energy += point.volume * material_.Energy(DeformationGradient(point, z));
  return energy;
}

void FleshBody::AddGradient(const std::vector<FleshPoint>& points, const Nodes& z, VectorXd& gradient) const {
  for (const FleshPoint& point : points) {
    const Matrix3d P = point.volume * material_.Stress(DeformationGradient(point, z));
    Vector3d turning = Vector3d::Zero();
    for (int j = 0; j < 3; ++j) turning += P.col(j).cross(point.change.omega.col(j));
    for (int k = 0; k < 4; ++k) {
      gradient.segment<3>(3 * tets_(point.tet, k)) +=
          P * elements_[point.tet].gradients.col(k) + point.barycentric[k] * turning;
    }
  }
}

BlockMatrix FleshBody::EmptyMatrix() const {
  return {.pattern = pattern_,
          .diagonal = std::vector<Matrix3d>(node_count_, Matrix3d::Zero()),
          .upper = std::vector<Matrix3d>(pattern_.items.size(), Matrix3d::Zero())};
}

void FleshBody::AddHessian(const std::vector<FleshPoint>& points, const Nodes& z, BlockMatrix& matrix) const {
  for (const FleshPoint& point : points) {
    const int t = point.tet;
    const Element& element = elements_[t];
    const elasticity::ProjectedSpectrum spectrum = material_.Project(DeformationGradient(point, z));
    const Matrix9x12 D = DerivativesInFrame(spectrum, element.gradients, point);
    const Matrix9x12 HD = TimesSpectrum(spectrum, point.volume * D);
    for (int k = 0; k < 4; ++k) {
      const Matrix3d block = D.middleCols<3>(3 * k).transpose().lazyProduct(HD.middleCols<3>(3 * k));
      matrix.diagonal[tets_(t, k)] += 0.5 * (block + block.transpose());
    }
    for (int p = 0; p < 6; ++p) {
      const auto [a, b] =
          std::minmax(kPairs[p][0], kPairs[p][1], [&](int i, int j) { return tets_(t, i) < tets_(t, j); });
      matrix.upper[element.slots[p]] += D.middleCols<3>(3 * a).transpose().lazyProduct(HD.middleCols<3>(3 * b));
    }
  }
}

void FleshBody::AddSpring(int t, const Eigen::Matrix4d& stiffness, BlockMatrix& matrix) const {
  for (int k = 0; k < 4; ++k) matrix.diagonal[tets_(t, k)].diagonal().array() += stiffness(k, k);
  for (int p = 0; p < 6; ++p) {
    matrix.upper[elements_[t].slots[p]].diagonal().array() += stiffness(kPairs[p][0], kPairs[p][1]);
  }
}

}  // namespace sinew::flesh
