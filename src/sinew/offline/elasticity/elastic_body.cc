#include "sinew/offline/elasticity/elastic_body.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"

namespace sinew::elasticity {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr int kTetGrain = 256;
constexpr int kNodeGrain = 256;

// Gradients of the four shape functions, one per column.
using ShapeGradients = Eigen::Matrix<double, 3, 4>;
ShapeGradients GradientsOf(const Matrix3d& shape) {
  ShapeGradients g;
  g.rightCols<3>() = shape.transpose();
  g.col(0) = -g.rightCols<3>().rowwise().sum();
  return g;
}

// Indices into the upper triangle of a tetrahedron's 4x4 blocks, one block per pair of corners.
constexpr int kPairs = 10;
constexpr int kPairOf[4][4] = {{0, 1, 2, 3}, {1, 4, 5, 6}, {2, 5, 7, 8}, {3, 6, 8, 9}};
using TetBlocks = std::array<Matrix3d, kPairs>;

// Computes the blocks of the projected Hessian between the corners of a tetrahedron. With the shape gradients turned
// into the frame of the singular vectors, g = V^T grad, entry (i, k) of block (a, b) is sum_jl H_ijkl g_a,j g_b,l;
// ProjectedSpectrum has few H_ijkl that are not 0.
TetBlocks BlocksOf(const ProjectedSpectrum& s, const ShapeGradients& gradients, double volume) {
  const ShapeGradients g = s.V.transpose() * gradients;
  TetBlocks blocks;
  for (int a = 1; a < 4; ++a) {
    for (int b = a; b < 4; ++b) {
      const Vector3d p = volume * g.col(a), q = g.col(b);
      Matrix3d block;
      for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        block(k, k) = s.scaling(k, k) * p[k] * q[k] + s.same[j] * p[i] * q[i] + s.same[i] * p[j] * q[j];
        block(i, j) = s.scaling(i, j) * p[i] * q[j] + s.swapped[k] * p[j] * q[i];
        block(j, i) = s.scaling(j, i) * p[j] * q[i] + s.swapped[k] * p[i] * q[j];
      }
      blocks[kPairOf[a][b]] = s.U * block * s.U.transpose();
    }
  }
  // The blocks of corner 0 follow from the others: translating all corners changes nothing, so each row sums to 0.
  const auto block = [&](int a, int b) -> Matrix3d {
    return a <= b ? blocks[kPairOf[a][b]] : Matrix3d(blocks[kPairOf[a][b]].transpose());
  };
  for (int b = 1; b < 4; ++b) blocks[b] = -(block(1, b) + block(2, b) + block(3, b));
  blocks[0] = -(blocks[1] + blocks[2] + blocks[3]);
  // The diagonal blocks are made exactly symmetric, because conjugate gradients rely on a symmetric matrix.
  for (const int diagonal : {0, 4, 7, 9}) blocks[diagonal] = 0.5 * (blocks[diagonal] + blocks[diagonal].transpose());
  return blocks;
}

}  // namespace

ElasticBody::ElasticBody(const TetMesh& rest, const Elasticity& elasticity)
    : material_(StableNeoHookean::FromYoungPoisson(elasticity.young, elasticity.poisson)),
      node_lambda_(0),
      tets_(rest.tets),
      volumes_(rest.node_count(), 0) {
  if (elasticity.poisson > elasticity.tet_poisson) {
    // The tetrahedra get the same shear modulus and a smaller lambda; the nodes get the rest of lambda.
    const double young = elasticity.young * (1 + elasticity.tet_poisson) / (1 + elasticity.poisson);
    const double whole = material_.lambda();
    material_ = StableNeoHookean::FromYoungPoisson(young, elasticity.tet_poisson);
    node_lambda_ = whole - material_.lambda();
  }
  for (int t = 0; t < rest.tet_count(); ++t) {
    const TetCorners corners = CornersOf(rest, t);
    const double volume = SignedVolume(corners);
    if (!(MeanRatio(corners) > 1e-6)) {
      throw UsageError(fmt::format("tetrahedron {} is flat or inverted at rest; make the mesh again", t));
    }
    rest_.push_back({.shape = EdgeMatrix(corners).inverse(), .volume = volume});
    volume_ += volume;
    for (int k = 0; k < 4; ++k) volumes_[rest.tets(t, k)] += volume / 4;
  }
  BuildPattern();
}

void ElasticBody::BuildPattern() {
  incident_ = BuildCsr(node_count(), [&](const auto& put) {
    for (int i = 0; i < 4 * tet_count(); ++i) put(tets_.data()[i], i);
  });
  std::vector<std::vector<int>> rows(node_count());
  for (int n = 0; n < node_count(); ++n) {
    rows[n].push_back(n);
    for (const int item : incident_[n]) rows[n].insert(rows[n].end(), &tets_(item / 4, 0), &tets_(item / 4, 0) + 4);
    std::sort(rows[n].begin(), rows[n].end());
    rows[n].erase(std::unique(rows[n].begin(), rows[n].end()), rows[n].end());
  }
  pattern_ = BuildCsr(node_count(), [&](const auto& put) {
    for (int n = 0; n < node_count(); ++n) {
      for (const int other : rows[n]) put(n, other);
    }
  });
  const auto slot = [&](int i, int j) {
    return pattern_.offsets[i] +
           static_cast<int>(std::lower_bound(rows[i].begin(), rows[i].end(), j) - rows[i].begin());
  };
  slots_.resize(16 * tet_count());
  for (int i = 0; i < 16 * tet_count(); ++i) slots_[i] = slot(tets_(i / 16, i / 4 % 4), tets_(i / 16, i % 4));
  transposed_.resize(pattern_.items.size());
  for (int n = 0; n < node_count(); ++n) {
    for (const int other : rows[n]) transposed_[slot(n, other)] = slot(other, n);
  }
}

Matrix3d ElasticBody::DeformationGradient(const Nodes& x, int t) const {
  Matrix3d edges;
  for (int k = 0; k < 3; ++k) edges.col(k) = (x.row(tets_(t, k + 1)) - x.row(tets_(t, 0))).transpose();
  return edges * rest_[t].shape;
}

std::vector<double> ElasticBody::NodePressures(const Nodes& x) const {
  std::vector<double> pressures(node_count(), 0);
  if (node_lambda_ == 0) return pressures;
  std::vector<double> growth(tet_count());  // change of volume per tetrahedron
  ParallelFor(tet_count(), kTetGrain,
              [&](int t) { growth[t] = rest_[t].volume * (DeformationGradient(x, t).determinant() - 1); });
  ParallelFor(node_count(), kNodeGrain, [&](int n) {
    for (const int item : incident_[n]) pressures[n] += growth[item / 4];
    if (volumes_[n] > 0) pressures[n] *= node_lambda_ / (4 * volumes_[n]);
  });
  return pressures;
}

double ElasticBody::MeanPressure(const std::vector<double>& pressures, int t) const {
  double sum = 0;
  for (int k = 0; k < 4; ++k) sum += pressures[tets_(t, k)];
  return sum / 4;
}

double ElasticBody::Energy(const Nodes& x) const {
  const auto sum = [](double& total, double value) { total += value; };
  const auto of_tets = [&](int begin, int end) {
    double energy = 0;
    for (int t = begin; t < end; ++t) energy += rest_[t].volume * material_.Energy(DeformationGradient(x, t));
    return energy;
  };
  double energy = ParallelReduce(tet_count(), kTetGrain, 0.0, of_tets, sum);
  if (node_lambda_ == 0) return energy;
  const std::vector<double> pressures = NodePressures(x);
  for (int n = 0; n < node_count(); ++n) energy += volumes_[n] * pressures[n] * pressures[n] / (2 * node_lambda_);
  return energy;
}

void ElasticBody::Gradient(const Nodes& x, VectorXd& gradient) const {
  const std::vector<double> pressures = NodePressures(x);
  std::vector<Matrix3d> stresses(tet_count());
  ParallelFor(tet_count(), kTetGrain, [&](int t) {
    const Matrix3d F = DeformationGradient(x, t);
    const Matrix3d P = material_.Stress(F) + MeanPressure(pressures, t) * Cofactors(F);
    // Column k is the derivative with respect to corner k + 1; the one for corner 0 is minus the sum of the columns.
    stresses[t] = rest_[t].volume * P * rest_[t].shape.transpose();
  });
  gradient.resize(3 * node_count());
  ParallelFor(node_count(), kNodeGrain, [&](int n) {
    Vector3d sum = Vector3d::Zero();
    for (const int item : incident_[n]) {
      const Matrix3d& H = stresses[item / 4];
      const int corner = item % 4;
      sum += corner == 0 ? Vector3d(-H.rowwise().sum()) : Vector3d(H.col(corner - 1));
    }
    gradient.segment<3>(3 * n) = sum;
  });
}

void ElasticBody::Hessian(const Nodes& x, ElasticHessian& hessian) const {
  const std::vector<double> pressures = NodePressures(x);
  std::vector<TetBlocks>& blocks = hessian.tet_blocks_;
  std::vector<ShapeGradients>& growths = hessian.tet_volumes_;
  blocks.resize(tet_count());
  growths.resize(node_lambda_ > 0 ? tet_count() : 0);
  // Per tetrahedron: blocks of the projected Hessian, and derivatives of the volume with respect to the corners.
  ParallelFor(tet_count(), kTetGrain, [&](int t) {
    const Matrix3d F = DeformationGradient(x, t);
    const ShapeGradients gradients = GradientsOf(rest_[t].shape);
    blocks[t] = BlocksOf(material_.Project(F, MeanPressure(pressures, t)), gradients, rest_[t].volume);
    if (node_lambda_ > 0) growths[t] = 0.25 * rest_[t].volume * Cofactors(F) * gradients;
  });

  // Per node: a row of the matrix, summed over the tetrahedra around the node.
  hessian.pattern_ = &pattern_;
  hessian.volume_stiffness_ = node_lambda_;
  hessian.blocks_.assign(pattern_.items.size(), Matrix3d::Zero());
  hessian.volume_.assign(node_lambda_ > 0 ? pattern_.items.size() : 0, Vector3d::Zero());
  hessian.transposed_.resize(hessian.volume_.size());
  hessian.inverse_volumes_.resize(node_count());
  hessian.inverse_diagonal_.resize(node_count());
  ParallelFor(node_count(), kNodeGrain, [&](int n) {
    for (const int item : incident_[n]) {
      const int t = item / 4, a = item % 4;
      for (int b = 0; b < 4; ++b) {
        const int slot = slots_[4 * item + b];
        const Matrix3d& block = blocks[t][kPairOf[a][b]];
        if (a <= b) {
          hessian.blocks_[slot] += block;
        } else {
          hessian.blocks_[slot] += block.transpose();
        }
        if (node_lambda_ > 0) hessian.volume_[slot] += growths[t].col(b);
      }
    }
    hessian.inverse_volumes_[n] = volumes_[n] > 0 ? 1 / volumes_[n] : 0;
  });
  // Per node: the transposed volume derivatives, and the inverse of the diagonal block for the preconditioner.
  ParallelFor(node_count(), kNodeGrain, [&](int n) {
    Matrix3d diagonal = Matrix3d::Zero();
    for (int item = pattern_.offsets[n]; item < pattern_.offsets[n + 1]; ++item) {
      const int other = pattern_.items[item];
      if (other == n) diagonal += hessian.blocks_[item];
      if (node_lambda_ == 0) continue;
      const Vector3d& d = hessian.transposed_[item] = hessian.volume_[transposed_[item]];
      diagonal += node_lambda_ * hessian.inverse_volumes_[other] * d * d.transpose();
    }
    // Regularised, because a node whose tetrahedra are all flat may have no stiffness at all.
    diagonal += Matrix3d::Identity() * std::max(1e-9 * diagonal.trace(), 1e-300);
    hessian.inverse_diagonal_[n] = diagonal.inverse();
  });
}

void ElasticHessian::Add(int i, int j, const Matrix3d& block) {
  const auto row = (*pattern_)[i];
  blocks_[pattern_->offsets[i] + (std::lower_bound(row.begin(), row.end(), j) - row.begin())] += block;
  if (i == j) inverse_diagonal_[i] = (inverse_diagonal_[i].inverse() + block).inverse().eval();
}

void ElasticHessian::Multiply(const VectorXd& v, VectorXd& out) const {
  const Csr& pattern = *pattern_;
  out.resize(v.size());
  std::vector<double> pressures(volume_stiffness_ > 0 ? pattern.row_count() : 0);
  ParallelFor(pattern.row_count(), kNodeGrain, [&](int n) {
    Vector3d sum = Vector3d::Zero();
    double growth = 0;
    for (int item = pattern.offsets[n]; item < pattern.offsets[n + 1]; ++item) {
      const Vector3d other = v.segment<3>(3 * pattern.items[item]);
      sum += blocks_[item] * other;
      if (volume_stiffness_ > 0) growth += volume_[item].dot(other);
    }
    out.segment<3>(3 * n) = sum;
    if (volume_stiffness_ > 0) pressures[n] = volume_stiffness_ * inverse_volumes_[n] * growth;
  });
  if (volume_stiffness_ == 0) return;
  ParallelFor(pattern.row_count(), kNodeGrain, [&](int n) {
    Vector3d sum = Vector3d::Zero();
    for (int item = pattern.offsets[n]; item < pattern.offsets[n + 1]; ++item) {
      sum += pressures[pattern.items[item]] * transposed_[item];
    }
    out.segment<3>(3 * n) += sum;
  });
}

void ElasticHessian::Precondition(const VectorXd& v, VectorXd& out) const {
  out.resize(v.size());
  for (size_t n = 0; n < inverse_diagonal_.size(); ++n) {
    out.segment<3>(3 * n) = inverse_diagonal_[n] * v.segment<3>(3 * n);
  }
}

int ElasticBody::InvertedCount(const Nodes& x) const {
  int count = 0;
  for (int t = 0; t < tet_count(); ++t) count += !(DeformationGradient(x, t).determinant() > 0);
  return count;
}

double ElasticBody::ForceScale() const {
  return material_.mu() * std::pow(volume_ / std::max(tet_count(), 1), 2.0 / 3);
}

double ElasticBody::EnergyScale() const { return material_.mu() * volume_; }

}  // namespace sinew::elasticity
