#include "sinew/offline/corpus/pack_modes.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "sinew/offline/core/parallel.h"

namespace sinew::corpus {
namespace {

constexpr float kSteps = 127;

// Mean length of the displacements in all rows, 3 columns each. Rows are added in order, so that the sum does not
// depend on the number of threads.
double MeanLength(const FloatRows& rows) {
  double sum = 0;
  for (Eigen::Index f = 0; f < rows.rows(); ++f) {
    const Eigen::Map<const Points> displacements(rows.row(f).data(), rows.cols() / 3, 3);
    sum += displacements.rowwise().norm().cast<double>().sum();
  }
  const double count = static_cast<double>(rows.size()) / 3;
  return count > 0 ? sum / count : 0;
}

// Inner products of all rows of a with all rows of b, summed in double.
Eigen::MatrixXd InnerProducts(const FloatRows& a, const FloatRows& b) {
  Eigen::MatrixXd products(a.rows(), b.rows());
  ParallelFor(static_cast<int>(a.rows()), 4, [&](int i) {
    for (Eigen::Index j = 0; j < b.rows(); ++j) products(i, j) = a.row(i).dot(b.row(j));
  });
  return products;
}

// The strongest `count` principal components of the rows, of length 1, one per row.
FloatRows StrongestModes(const FloatRows& rows, int count) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(InnerProducts(rows, rows));
  FloatRows modes(count, rows.cols());
  ParallelFor(count, 1, [&](int k) {
    const Eigen::VectorXf mix = solver.eigenvectors().col(rows.rows() - 1 - k).cast<float>();
    modes.row(k) = mix.transpose() * rows;
    const float length = modes.row(k).norm();
    if (length > 0) modes.row(k) /= length;
  });
  return modes;
}

// Appends modes, rounded to 8 bits; those that are zero are left out.
void AppendRounded(const FloatRows& modes, PackedBody& body) {
  for (Eigen::Index k = 0; k < modes.rows(); ++k) {
    const float largest = modes.row(k).cwiseAbs().maxCoeff();
    if (!(largest > 0)) continue;
    const Eigen::Index at = body.modes.rows();
    body.modes.conservativeResize(at + 1, modes.cols());
    body.scales.conservativeResize(at + 1);
    body.scales[at] = largest / kSteps;
    body.modes.row(at) = (modes.row(k) * (kSteps / largest)).array().round().cast<int8_t>();
  }
}

// Modes as they are in the file, with their scales.
FloatRows ScaledModes(const PackedBody& body) { return body.scales.asDiagonal() * body.modes.cast<float>(); }

// Least-squares coefficients of the rows in the modes. A trace of the diagonal keeps modes apart that rounding made
// alike.
FloatRows FitCoefficients(const FloatRows& rows, const FloatRows& modes) {
  Eigen::MatrixXd gram = InnerProducts(modes, modes);
  gram.diagonal().array() *= 1 + 1e-7;
  const Eigen::MatrixXd right = InnerProducts(modes, rows);
  return gram.ldlt().solve(right).transpose().cast<float>();
}

}  // namespace

void PackModes(const FloatRows& residuals, const PackModesOptions& options, PackedBody& body) {
  const double mean = MeanLength(residuals);
  body.mean_residual = static_cast<float>(mean);
  body.modes.resize(0, residuals.cols());
  body.scales.resize(0);
  body.coefficients.resize(residuals.rows(), 0);
  body.loss = mean > 0 ? 1.0f : 0.0f;
  FloatRows left = residuals;
  while (body.loss > options.max_loss && body.modes.rows() < options.max_modes) {
    const int count = std::min<int>(options.batch, static_cast<int>(residuals.rows()));
    const Eigen::Index before = body.modes.rows();
    AppendRounded(StrongestModes(left, count), body);
    if (body.modes.rows() == before) break;
    const FloatRows modes = ScaledModes(body);
    body.coefficients = FitCoefficients(residuals, modes);
    ParallelFor(static_cast<int>(residuals.rows()), 4,
                [&](int f) { left.row(f) = residuals.row(f) - body.coefficients.row(f) * modes; });
    body.loss = static_cast<float>(MeanLength(left) / mean);
  }
}

}  // namespace sinew::corpus
