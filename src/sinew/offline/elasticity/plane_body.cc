#include "sinew/offline/elasticity/plane_body.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/runtime/kernels/plane_neo_hookean.h"

namespace sinew::elasticity {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;
using Eigen::VectorXd;

runtime::NeoHookean Constants(const StableNeoHookean& material) { return {material.mu(), material.lambda()}; }

runtime::PlaneMatrix Plain(const Matrix2d& F) { return {F(0, 0), F(0, 1), F(1, 0), F(1, 1)}; }

Matrix2d FromPlain(const runtime::PlaneMatrix& F) {
  Matrix2d whole;
  whole << F.xx, F.xy, F.yx, F.yy;
  return whole;
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
    energy += elements_[t].area * PlaneEnergy(Constants(material_), Plain(DeformationGradient(x, t)));
  }
  return energy;
}

void PlaneBody::Gradient(const VectorXd& x, VectorXd& gradient) const {
  gradient = VectorXd::Zero(x.size());
  for (int t = 0; t < triangle_count(); ++t) {
    const Matrix2d P = FromPlain(PlaneStress(Constants(material_), Plain(DeformationGradient(x, t))));
    const Matrix2d forces = elements_[t].area * P * elements_[t].shape.transpose();
    gradient.segment<2>(2 * triangles_(t, 0)) -= forces.rowwise().sum();
    for (int k = 0; k < 2; ++k) gradient.segment<2>(2 * triangles_(t, k + 1)) += forces.col(k);
  }
}

void PlaneBody::Hessian(const VectorXd& x, PlaneHessian& hessian) const {
  hessian.pattern_ = &pattern_;
  hessian.blocks_.assign(pattern_.items.size(), Matrix2d::Zero());
  for (int t = 0; t < triangle_count(); ++t) {
    const runtime::PlaneSpectrum spectrum = PlaneProject(Constants(material_), Plain(DeformationGradient(x, t)));
    Eigen::Matrix<double, 2, 3> g;
    g.rightCols<2>() = FromPlain(spectrum.V).transpose() * elements_[t].shape.transpose();
    g.col(0) = -g.col(1) - g.col(2);
    for (int a = 0; a < 3; ++a) {
      for (int b = a; b < 3; ++b) {
        const Matrix2d block = elements_[t].area * FromPlain(PlaneBlock(spectrum, g(0, a), g(1, a), g(0, b), g(1, b)));
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
