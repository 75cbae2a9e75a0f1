#include "sinew/offline/corpus/pack_modes.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/corpus/field_coder.h"

namespace sinew::corpus {
namespace {

// Root mean square below which a mode is left out, in steps. Measured on simulated bodies: from 0.3 to 0.6 the size is
// the same within 2%, and beyond it grows.
constexpr float kWeakest = 0.5f;
// Step of coefficients times the strength of their mode, in steps of modes. There are about 60 times fewer coefficients
// than numbers of modes, so that each may take more bits: errors in the ratio of the counts, 1/8 = 60^(-1/2).
constexpr float kCoefficientStep = 0.125f;
constexpr float kFirstFactor = 2;     // between the steps that are tried first,
constexpr float kNearEnough = 1.02f;  // and between the last

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

// All principal components of the rows, one per row, from the strongest to the weakest: each is as long as the root
// mean square of its share in the rows.
FloatRows PrincipalComponents(const FloatRows& rows, const std::string& name) {
  const Eigen::MatrixXd products = InnerProducts(rows, rows);
  if (!products.allFinite()) {
    throw FailedError(fmt::format("body \"{}\" cannot be packed: a residual is no number, or is too large", name));
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(products);
  const auto count = static_cast<int>(rows.rows());
  FloatRows modes(count, rows.cols());
  ParallelFor(count, 1, [&](int k) {
    const Eigen::VectorXf mix = solver.eigenvectors().col(count - 1 - k).cast<float>();
    modes.row(k) = mix.transpose() * rows / std::sqrt(static_cast<float>(count));
  });
  return modes;
}

template <typename Row>
float RootMeanSquare(const Row& row) {
  return row.norm() / std::sqrt(static_cast<float>(row.size()));
}

// Rounds the modes that are strong enough to numbers of a step; those that become zero are left out.
Modes Rounded(const FloatRows& modes, float step) {
  Modes rounded(modes.rows(), modes.cols());
  Eigen::Index count = 0;
  for (Eigen::Index k = 0; k < modes.rows() && RootMeanSquare(modes.row(k)) >= kWeakest * step; ++k) {
    rounded.row(count) = (modes.row(k) / step).array().round().cast<int32_t>();
    if (!rounded.row(count).isZero()) ++count;
  }
  rounded.conservativeResize(count, Eigen::NoChange);
  return rounded;
}

// Least-squares coefficients of the rows in the modes. A trace of the diagonal keeps modes apart that rounding made
// alike.
FloatRows FitCoefficients(const FloatRows& rows, const FloatRows& modes) {
  Eigen::MatrixXd gram = InnerProducts(modes, modes);
  gram.diagonal().array() *= 1 + 1e-7;
  const Eigen::MatrixXd right = InnerProducts(modes, rows);
  return gram.ldlt().solve(right).transpose().cast<float>();
}

// Rounds coefficients so that all do the same harm, which is small against that of the modes.
void RoundCoefficients(const FloatRows& modes, PackedBody& body) {
  body.scales.resize(modes.rows());
  for (Eigen::Index k = 0; k < modes.rows(); ++k) {
    const float scale = kCoefficientStep * body.step / RootMeanSquare(modes.row(k));
    body.scales[k] = scale;
    body.coefficients.col(k) = scale * (body.coefficients.col(k) / scale).array().round().matrix();
  }
}

// Sets the modes of a body by their step, and how much is then lost.
void PackWithStep(const FloatRows& residuals, const FloatRows& components, float step, PackedBody& body) {
  body.step = step;
  body.modes = Rounded(components, step);
  const FloatRows modes = step * body.modes.cast<float>();
  body.coefficients = FitCoefficients(residuals, modes);
  RoundCoefficients(modes, body);
  FloatRows left(residuals.rows(), residuals.cols());
  ParallelFor(static_cast<int>(residuals.rows()), 4,
              [&](int f) { left.row(f) = residuals.row(f) - body.coefficients.row(f) * modes; });
  body.loss = static_cast<float>(MeanLength(left) / body.mean_residual);
}

}  // namespace

void PackModes(const FloatRows& residuals, const PackModesOptions& options, PackedBody& body) {
  body.mean_residual = static_cast<float>(MeanLength(residuals));
  body.modes.resize(0, residuals.cols());
  body.step = 1;
  body.scales.resize(0);
  body.coefficients.resize(residuals.rows(), 0);
  body.loss = body.mean_residual > 0 ? 1.0f : 0.0f;
  if (body.loss <= options.max_loss) return;
  const FloatRows components = PrincipalComponents(residuals, body.name);

  // Find two steps, one too wide and one not, and then narrow the gap.
  float wide = body.mean_residual, narrow = static_cast<float>(options.max_loss) * body.mean_residual;
  const float largest = components.cwiseAbs().maxCoeff();
  while (true) {
    if (largest / narrow >= static_cast<float>(FieldCoder::kLimit)) {
      throw FailedError(
          fmt::format("body \"{}\" cannot be packed with a loss of {:g}: its residuals differ too much in "
                      "size; allow a larger loss",
                      body.name, options.max_loss));
    }
    PackWithStep(residuals, components, narrow, body);
    if (body.loss <= options.max_loss) break;
    wide = narrow;
    narrow /= kFirstFactor;
  }
  PackedBody tried = body;
  while (wide > kNearEnough * narrow) {
    const float step = std::sqrt(wide * narrow);
    PackWithStep(residuals, components, step, tried);
    (tried.loss <= options.max_loss ? narrow : wide) = step;
    if (tried.loss <= options.max_loss) body = tried;
  }
}

}  // namespace sinew::corpus
