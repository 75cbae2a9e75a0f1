#include "sinew/offline/learn/layers/batch_norm.h"

#include <algorithm>
#include <cmath>

namespace sinew::layers {
namespace {

using Row = Eigen::RowVectorXf;

Row RowOf(std::span<const float> values) {
  return Eigen::Map<const Row>(values.data(), static_cast<Eigen::Index>(values.size()));
}

// 1 / sqrt(variance + epsilon) per column.
Row InverseDeviation(const ColumnStatistics& statistics) {
  return (RowOf(statistics.variance).array() + kBatchNormEpsilon).sqrt().inverse();
}

// (x - mean) / sqrt(variance + epsilon), for one tile.
template <typename Tile>
RowMatrix Standardised(const Tile& x, const Row& mean, const Row& inverse) {
  return (x.rowwise() - mean).array().rowwise() * inverse.array();
}

}  // namespace

ColumnStatistics StatisticsOf(const ConstRows& x) {
  const auto columns = static_cast<size_t>(x.cols());
  const float share = x.rows() > 0 ? 1 / static_cast<float>(x.rows()) : 0;
  ColumnStatistics result{std::vector<float>(columns, 0), std::vector<float>(columns, 0)};
  AddColumnSums(x, result.mean);
  for (float& mean : result.mean) mean *= share;
  // Deviations first: the difference of mean square and squared mean would cancel.
  const Row mean = RowOf(result.mean);
  RowMatrix deviation(x.rows(), x.cols());
  ForTiles(x.rows(), [&](int begin, int count) {
    deviation.middleRows(begin, count) = x.middleRows(begin, count).rowwise() - mean;
  });
  AddColumnProductSums(deviation, deviation, result.variance);
  for (float& variance : result.variance) variance *= share;
  return result;
}

void BatchNorm(const ConstRows& x, const ColumnStatistics& statistics, std::span<const float> gamma,
               std::span<const float> beta, Rows y) {
  const Row mean = RowOf(statistics.mean), inverse = InverseDeviation(statistics);
  const Row scale = RowOf(gamma), shift = RowOf(beta);
  ForTiles(x.rows(), [&](int begin, int count) {
    const RowMatrix standardised = Standardised(x.middleRows(begin, count), mean, inverse);
    y.middleRows(begin, count) = (standardised.array().rowwise() * scale.array()).rowwise() + shift.array();
  });
}

// With x^ = (x - mean) / deviation and n rows: y = gamma x^ + beta, so that
//   d beta = sum dy,  d gamma = sum dy x^,
//   dx = gamma / deviation (dy - d beta / n - x^ d gamma / n),
// where the last two terms come from mean and variance, and vanish if those are constants.
void BatchNormBackward(const ConstRows& x, const ColumnStatistics& statistics, bool of_batch,
                       std::span<const float> gamma, const ConstRows& dy, Rows* dx, std::span<float> dgamma,
                       std::span<float> dbeta) {
  const Row mean = RowOf(statistics.mean), inverse = InverseDeviation(statistics);
  RowMatrix standardised(x.rows(), x.cols());
  ForTiles(x.rows(), [&](int begin, int count) {
    standardised.middleRows(begin, count) = Standardised(x.middleRows(begin, count), mean, inverse);
  });
  std::vector<float> slope(gamma.size(), 0), sum(gamma.size(), 0);
  AddColumnProductSums(dy, standardised, slope);
  AddColumnSums(dy, sum);
  std::transform(slope.begin(), slope.end(), dgamma.begin(), dgamma.begin(), std::plus<>());
  std::transform(sum.begin(), sum.end(), dbeta.begin(), dbeta.begin(), std::plus<>());
  if (dx == nullptr) return;
  const float share = of_batch ? 1 / static_cast<float>(x.rows()) : 0;
  const Row of_mean = share * RowOf(sum), of_variance = share * RowOf(slope);
  const Row factor = RowOf(gamma).cwiseProduct(inverse);
  ForTiles(x.rows(), [&](int begin, int count) {
    const auto tile = standardised.middleRows(begin, count).array();
    const RowMatrix change =
        (dy.middleRows(begin, count).rowwise() - of_mean).array() - tile.rowwise() * of_variance.array();
    dx->middleRows(begin, count).array() += change.array().rowwise() * factor.array();
  });
}

void UpdateStatistics(const ColumnStatistics& batch, Eigen::Index rows, std::span<float> mean,
                      std::span<float> variance) {
  const auto n = static_cast<float>(rows);
  const float bessel = rows > 1 ? n / (n - 1) : 1;
  for (size_t c = 0; c < mean.size(); ++c) {
    mean[c] += kBatchNormMomentum * (batch.mean[c] - mean[c]);
    variance[c] += kBatchNormMomentum * (bessel * batch.variance[c] - variance[c]);
  }
}

void FoldBatchNorm(const ColumnStatistics& statistics, std::span<const float> gamma, std::span<const float> beta,
                   Rows W, std::span<float> b) {
  const Row factor = RowOf(gamma).cwiseProduct(InverseDeviation(statistics));
  W.array().rowwise() *= factor.array();
  for (size_t c = 0; c < b.size(); ++c) {
    b[c] = (b[c] - statistics.mean[c]) * factor[static_cast<Eigen::Index>(c)] + beta[c];
  }
}

}  // namespace sinew::layers
