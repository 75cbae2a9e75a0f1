#include "sinew/offline/graphnet/familiarity.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/quantile.h"

namespace sinew::graphnet {
namespace {

constexpr const char* kMean = "familiarity.mean";
constexpr const char* kWhitening = "familiarity.whitening";
constexpr const char* kLimit = "familiarity.limit";
constexpr int kMaxFrames = 1000;  // for the statistics: enough for a covariance, and seconds instead of minutes
constexpr double kShareBelow = 0.95;
// Variance that is added to every standardised direction. Directions in which nothing varied would otherwise make any
// other body infinitely strange.
constexpr double kLeastVariance = 0.05;

struct Sums {
  Eigen::VectorXd first;
  Eigen::MatrixXd second;
  double area = 0;
};

// Returns at most kMaxFrames of `count` frames, evenly spaced.
std::vector<int> Selection(int count) {
  const int taken = std::min(count, kMaxFrames);
  std::vector<int> chosen;
  for (int k = 0; k < taken; ++k) chosen.push_back(static_cast<int>(static_cast<int64_t>(k) * count / taken));
  return chosen;
}

// Weights of the points, with sum 1: by the area that bends, or by all of the area if nothing bends.
Eigen::VectorXd WeightsOf(const Body& body) {
  const Eigen::Map<const Eigen::VectorXf> areas(body.areas().data(), body.points());
  const Eigen::Map<const Eigen::VectorXf> bending(body.bending().data(), body.points());
  const Eigen::VectorXd weights = (bending.sum() > 0 ? bending : areas).cast<double>();
  return weights / weights.sum();
}

// Sums of standardised features and their products over the surface of a frame, which counts 1 in all.
Sums SumsOf(const FrameSet& frames, int entry, const Scaling& scaling) {
  const Body& body = frames.bodies()[frames.entries()[entry].body];
  RowMatrix features = frames.Evaluate(entry).features;
  scaling.Standardise(features);
  const Eigen::MatrixXd rows = features.cast<double>();
  const Eigen::VectorXd weights = WeightsOf(body);
  return {rows.transpose() * weights, rows.transpose() * weights.asDiagonal() * rows, 1};
}

std::vector<float> Floats(const Eigen::MatrixXd& matrix) {
  const RowMatrix rows = matrix.cast<float>();
  return {rows.data(), rows.data() + rows.size()};
}

}  // namespace

std::vector<float> Familiarity::PointDistances(const RowMatrix& features) const {
  const Eigen::Index columns = features.cols();
  const Eigen::Map<const Eigen::RowVectorXf> means(mean.data(), columns);
  const Eigen::Map<const RowMatrix> white(whitening.data(), columns, columns);
  const RowMatrix independent = (features.rowwise() - means) * white.transpose();
  std::vector<float> distances;
  distances.reserve(features.rows());
  for (const auto row : independent.rowwise()) {
    distances.push_back(std::sqrt(row.squaredNorm() / static_cast<float>(columns)));
  }
  return distances;
}

double Familiarity::FrameDistance(const Body& body, const RowMatrix& features) const {
  const std::vector<float> distances = PointDistances(features);
  const Eigen::VectorXd weights = WeightsOf(body);
  double sum = 0;
  for (Eigen::Index i = 0; i < weights.size(); ++i) sum += weights[i] * distances[i] * distances[i];
  return std::sqrt(sum);
}

Familiarity FitFamiliarity(const FrameSet& training, const FrameSet& validation, const Scaling& scaling) {
  // Mean and covariance of the standardised features.
  const Eigen::Index columns = training.bodies().front().columns();
  const Sums none{Eigen::VectorXd::Zero(columns), Eigen::MatrixXd::Zero(columns, columns), 0};
  const std::vector<int> chosen = Selection(training.count());
  const Sums sums = ParallelReduce(
      static_cast<int>(chosen.size()), 1, none, [&](int k, int) { return SumsOf(training, chosen[k], scaling); },
      [](Sums& total, const Sums& one) {
        total.first += one.first;
        total.second += one.second;
        total.area += one.area;
      });
  const Eigen::VectorXd mean = sums.first / sums.area;
  Eigen::MatrixXd covariance = sums.second / sums.area - mean * mean.transpose();
  covariance.diagonal().array() += kLeastVariance;

  // Whitening of the features as they are: the inverse of the covariance's Cholesky factor after the standardisation.
  const Eigen::Map<const Eigen::VectorXf> centre(scaling.mean.data(), columns), unit(scaling.deviation.data(), columns);
  const Eigen::VectorXd deviations = unit.cast<double>();
  const Eigen::MatrixXd standard = deviations.cwiseInverse().asDiagonal();
  Familiarity familiarity;
  familiarity.whitening = Floats(Eigen::LLT<Eigen::MatrixXd>(covariance).matrixL().solve(standard));
  familiarity.mean = Floats(centre.cast<double>() + deviations.cwiseProduct(mean));

  // Limit, from frames that nothing was fitted to.
  const std::vector<int> validated = Selection(validation.count());
  std::vector<double> distances(validated.size());
  ParallelFor(static_cast<int>(validated.size()), 1, [&](int k) {
    const Body& body = validation.bodies()[validation.entries()[validated[k]].body];
    distances[k] = familiarity.FrameDistance(body, validation.Evaluate(validated[k]).features);
  });
  familiarity.limit = static_cast<float>(Quantile(distances, kShareBelow));
  return familiarity;
}

void StoreFamiliarity(const Familiarity& familiarity, learn::Model& model) {
  const int columns = static_cast<int>(familiarity.mean.size());
  model.tensors.push_back({kMean, {columns}, familiarity.mean});
  model.tensors.push_back({kWhitening, {columns, columns}, familiarity.whitening});
  model.tensors.push_back({kLimit, {1}, {familiarity.limit}});
}

std::optional<Familiarity> TakeFamiliarity(const learn::Model& model, int columns, const std::string& file) {
  if (model.Find(kLimit) == nullptr) return std::nullopt;
  const auto take = [&](const char* name, const std::vector<int>& shape) {
    const learn::Tensor* tensor = model.Find(name);
    if (tensor != nullptr && tensor->shape == shape) return tensor->values;
    throw InputError(file, name, fmt::format("is not there for {} features", columns),
                     "train it again with `sinew learn train`");
  };
  Familiarity familiarity{take(kMean, {columns}), take(kWhitening, {columns, columns}), take(kLimit, {1})[0]};
  if (familiarity.limit > 0) return familiarity;
  throw InputError(file, kLimit, "is not positive", "train it again with `sinew learn train`");
}

}  // namespace sinew::graphnet
