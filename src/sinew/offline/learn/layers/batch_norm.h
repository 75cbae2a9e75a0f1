// Batch normalisation (S. Ioffe and C. Szegedy, "Batch Normalization", 2015), over all rows of a matrix.
#ifndef SINEW_OFFLINE_LEARN_LAYERS_BATCH_NORM_H_
#define SINEW_OFFLINE_LEARN_LAYERS_BATCH_NORM_H_

#include <vector>

#include "sinew/offline/learn/layers/matrix.h"

namespace sinew::layers {

inline constexpr float kBatchNormEpsilon = 1e-5f;  // added to variances
inline constexpr float kBatchNormMomentum = 0.1f;  // share of a new batch in the stored statistics

// Mean and variance of every column; the variance is the mean of squared deviations.
struct ColumnStatistics {
  std::vector<float> mean, variance;
};
ColumnStatistics StatisticsOf(const ConstRows& x);

// Sets y = gamma (x - mean) / sqrt(variance + epsilon) + beta, per column. In training, give the statistics of x
// itself; in inference, stored ones. gamma, beta: one number per column.
void BatchNorm(const ConstRows& x, const ColumnStatistics& statistics, std::span<const float> gamma,
               std::span<const float> beta, Rows y);

// Adds the gradients of x, gamma and beta for the gradient `dy` of y. of_batch: whether the statistics are those of x,
// which then depend on x; otherwise they are constants.
void BatchNormBackward(const ConstRows& x, const ColumnStatistics& statistics, bool of_batch,
                       std::span<const float> gamma, const ConstRows& dy, Rows* dx, std::span<float> dgamma,
                       std::span<float> dbeta);

// Moves stored statistics towards those of a batch of so many rows. The variance is stored with Bessel's correction,
// as libtorch does, so that models can be exchanged.
void UpdateStatistics(const ColumnStatistics& batch, Eigen::Index rows, std::span<float> mean,
                      std::span<float> variance);

// Changes the linear layer W, b such that it does what it and the normalisation behind it did. b must have one number
// per output, zero if the layer had no bias.
void FoldBatchNorm(const ColumnStatistics& statistics, std::span<const float> gamma, std::span<const float> beta,
                   Rows W, std::span<float> b);

}  // namespace sinew::layers

#endif  // SINEW_OFFLINE_LEARN_LAYERS_BATCH_NORM_H_
