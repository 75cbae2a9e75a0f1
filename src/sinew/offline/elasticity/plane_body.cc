#include "sinew/offline/elasticity/plane_body.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "sinew/offline/core/error.h"

namespace sinew::elasticity {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::VectorXd;

Matrix3d InSpace(const Matrix2d& F) {
  Matrix3d whole = Matrix3d::Identity();
  whole.topLeftCorner<2, 2>() = F;
  return whole;
}

Matrix2d Turn(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Matrix2d turn;
  turn << c, -s, s, c;
  return turn;
}

// Projected Hessian in the frame of F's singular vectors: ProjectedSpectrum (stable_neo_hookean.h) for the two axes of
// the plane, with the third singular value 1.
struct PlaneSpectrum {
  Matrix2d U, V, scaling;
  double same, swapped;
};

// Sets the negative eigenvalue of a symmetric matrix, if there is one, to 0.
Matrix2d ProjectSymmetric(const Matrix2d& A) {
  const double mean = (A(0, 0) + A(1, 1)) / 2, half = (A(0, 0) - A(1, 1)) / 2;
  const double radius = std::hypot(half, A(0, 1));
  if (mean - radius >= 0) return A;
  const double high = std::max(mean + radius, 0.0);
  const double angle = 0.5 * std::atan2(A(0, 1), half);
  const Vector2d direction(std::cos(angle), std::sin(angle));
  return high * direction * direction.transpose();
}

PlaneSpectrum SpectrumOf(const StableNeoHookean& material, const Matrix2d& F) {
  // Singular values by the angles of the rotating and the reflecting part of F; the second one has the sign of det F.
  const double e = (F(0, 0) + F(1, 1)) / 2, f = (F(0, 0) - F(1, 1)) / 2;
  const double g = (F(1, 0) + F(0, 1)) / 2, h = (F(1, 0) - F(0, 1)) / 2;
  const double q = std::hypot(e, h), r = std::hypot(f, g);
  const double flip_angle = std::atan2(g, f), turn_angle = std::atan2(h, e);
  const Vector2d sigma(q + r, q - r), cofactors(sigma[1], sigma[0]);
  PlaneSpectrum s;
  s.U = Turn((turn_angle + flip_angle) / 2);
  s.V = Turn((flip_angle - turn_angle) / 2);
  const double I_C = sigma.squaredNorm() + 1, J = sigma.prod();
  const double pressure = material.lambda() * (J - 1) - 0.75 * material.mu();
  const double mu_T = material.mu() * I_C / (I_C + 1), mu_F = 2 * material.mu() / ((I_C + 1) * (I_C + 1));
  Matrix2d A = mu_F * sigma * sigma.transpose() + material.lambda() * cofactors * cofactors.transpose();
  A.diagonal().array() += mu_T;
  A(0, 1) += pressure;
  A(1, 0) += pressure;
  s.scaling = ProjectSymmetric(A);
  const double twist = std::max(0.0, mu_T + pressure), flip = std::max(0.0, mu_T - pressure);
  s.same = 0.5 * (twist + flip);
  s.swapped = 0.5 * (flip - twist);
  return s;
}

// Block between two corners; p, q: gradients of their shape functions, turned by V', one of them times the area.
Matrix2d BlockOf(const PlaneSpectrum& s, const Vector2d& p, const Vector2d& q) {
  Matrix2d block;
  block(0, 0) = s.scaling(0, 0) * p[0] * q[0] + s.same * p[1] * q[1];
  block(1, 1) = s.scaling(1, 1) * p[1] * q[1] + s.same * p[0] * q[0];
  block(0, 1) = s.scaling(0, 1) * p[0] * q[1] + s.swapped * p[1] * q[0];
  block(1, 0) = s.scaling(1, 0) * p[1] * q[0] + s.swapped * p[0] * q[1];
  return s.U * block * s.U.transpose();
}

}  // namespace

void PlaneHessian::Add(int i, int j, const Matrix2d& block) {
  const auto row = (*pattern_)[i];
  const auto item = std::lower_bound(row.begin(), row.end(), j) - row.begin();
  blocks_[pattern_->offsets[i] + item] += block;
}

void PlaneHessian::Finish() {
  inverse_diagonal_.resize(pattern_->row_count());
  for (int n = 0; n < pattern_->row_count(); ++n) {
    const auto row = (*pattern_)[n];
    Matrix2d diagonal = blocks_[pattern_->offsets[n] + (std::lower_bound(row.begin(), row.end(), n) - row.begin())];
    // Regularised, because a node whose triangles are all flat may have no stiffness at all.
    diagonal += Matrix2d::Identity() * std::max(1e-9 * diagonal.trace(), 1e-300);
    inverse_diagonal_[n] = diagonal.inverse();
  }
}

void PlaneHessian::Multiply(const VectorXd& v, VectorXd& out) const {
  out.resize(v.size());
  for (int n = 0; n < pattern_->row_count(); ++n) {
    Vector2d sum = Vector2d::Zero();
    for (int item = pattern_->offsets[n]; item < pattern_->offsets[n + 1]; ++item) {
      sum += blocks_[item] * v.segment<2>(2 * pattern_->items[item]);
    }
    out.segment<2>(2 * n) = sum;
  }
}

void PlaneHessian::Precondition(const VectorXd& v, VectorXd& out) const {
  out.resize(v.size());
  for (size_t n = 0; n < inverse_diagonal_.size(); ++n) {
    out.segment<2>(2 * n) = inverse_diagonal_[n] * v.segment<2>(2 * n);
  }
}

PlaneBody::PlaneBody(const PlaneMesh& rest, double young, double poisson)
    : material_(StableNeoHookean::FromYoungPoisson(young, poisson)), triangles_(rest.triangles) {
  for (int t = 0; t < rest.triangle_count(); ++t) {
    Matrix2d edges;
    for (int k = 0; k < 2; ++k) {
      edges.col(k) = (rest.positions.row(triangles_(t, k + 1)) - rest.positions.row(triangles_(t, 0))).transpose();
    }
    const double area = edges.determinant() / 2;
    if (!(area > 1e-8 * edges.squaredNorm())) {
      throw UsageError(fmt::format("triangle {} is flat or clockwise at rest; make the mesh again", t));
    }
    elements_.push_back({.shape = edges.inverse(), .area = area, .slots = {}});
    area_ += area;
  }
  std::vector<std::vector<int>> rows(rest.node_count());
  for (int t = 0; t < triangle_count(); ++t) {
    for (int k = 0; k < 9; ++k) rows[triangles_(t, k / 3)].push_back(triangles_(t, k % 3));
  }
  for (std::vector<int>& row : rows) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
  for (int n = 0; n < rest.node_count(); ++n) {
    if (rows[n].empty()) throw UsageError(fmt::format("node {} has no triangle; leave it out", n));
  }
  pattern_ = BuildCsr(rest.node_count(), [&](const auto& put) {
    for (int n = 0; n < rest.node_count(); ++n) {
      for (const int other : rows[n]) put(n, other);
    }
  });
  for (int t = 0; t < triangle_count(); ++t) {
    for (int k = 0; k < 9; ++k) {
      const int i = triangles_(t, k / 3), j = triangles_(t, k % 3);
      const auto item = std::lower_bound(rows[i].begin(), rows[i].end(), j) - rows[i].begin();
      elements_[t].slots[k] = pattern_.offsets[i] + static_cast<int>(item);
    }
  }
}

Matrix2d PlaneBody::DeformationGradient(const VectorXd& x, int t) const {
  Matrix2d edges;
  const Vector2d origin = x.segment<2>(2 * triangles_(t, 0));
  for (int k = 0; k < 2; ++k) edges.col(k) = x.segment<2>(2 * triangles_(t, k + 1)) - origin;
  return edges * elements_[t].shape;
}

double PlaneBody::Energy(const VectorXd& x) const {
  double energy = 0;
  for (int t = 0; t < triangle_count(); ++t) {
    energy += elements_[t].area * material_.Energy(InSpace(DeformationGradient(x, t)));
  }
  return energy;
}

void PlaneBody::Gradient(const VectorXd& x, VectorXd& gradient) const {
  gradient = VectorXd::Zero(x.size());
  for (int t = 0; t < triangle_count(); ++t) {
    const Matrix2d P = material_.Stress(InSpace(DeformationGradient(x, t))).topLeftCorner<2, 2>();
    const Matrix2d forces = elements_[t].area * P * elements_[t].shape.transpose();
    gradient.segment<2>(2 * triangles_(t, 0)) -= forces.rowwise().sum();
    for (int k = 0; k < 2; ++k) gradient.segment<2>(2 * triangles_(t, k + 1)) += forces.col(k);
  }
}

void PlaneBody::Hessian(const VectorXd& x, PlaneHessian& hessian) const {
  hessian.pattern_ = &pattern_;
  hessian.blocks_.assign(pattern_.items.size(), Matrix2d::Zero());
  for (int t = 0; t < triangle_count(); ++t) {
    const PlaneSpectrum spectrum = SpectrumOf(material_, DeformationGradient(x, t));
    Eigen::Matrix<double, 2, 3> g;
    g.rightCols<2>() = spectrum.V.transpose() * elements_[t].shape.transpose();
    g.col(0) = -g.col(1) - g.col(2);
    for (int a = 0; a < 3; ++a) {
      for (int b = a; b < 3; ++b) {
        const Matrix2d block = BlockOf(spectrum, elements_[t].area * g.col(a), g.col(b));
        hessian.blocks_[elements_[t].slots[3 * a + b]] += block;
        if (a != b) hessian.blocks_[elements_[t].slots[3 * b + a]] += block.transpose();
      }
    }
  }
}

int PlaneBody::InvertedCount(const VectorXd& x) const {
  int count = 0;
  for (int t = 0; t < triangle_count(); ++t) count += !(DeformationGradient(x, t).determinant() > 0);
  return count;
}

}  // namespace sinew::elasticity
