#include "sinew/offline/graphnet/scaling.h"

#include <cmath>

#include "sinew/offline/core/parallel.h"

namespace sinew::graphnet {
namespace {

constexpr double kLeastDeviation = 1e-6;  // below it a column does not vary: features are of the order of 1

struct Sums {
  Eigen::RowVectorXd first, second;  // of features and their squares
  double rows = 0, squares = 0, area = 0;
  void Add(const Sums& other) {
    first += other.first;
    second += other.second;
    rows += other.rows;
    squares += other.squares;
    area += other.area;
  }
};

Sums SumsOf(const FrameSet& frames, int entry) {
  const Body& body = frames.bodies()[frames.entries()[entry].body];
  const Body::Frame frame = frames.Evaluate(entry);
  const RowMatrix targets = body.Targets(frame, frames.Truth(entry));
  const Eigen::MatrixXd features = frame.features.cast<double>();
  Sums sums{features.colwise().sum(), features.array().square().colwise().sum(), static_cast<double>(body.points())};
  for (int i = 0; i < body.points(); ++i) {
    sums.squares += body.areas()[i] * targets.row(i).cast<double>().squaredNorm();
    sums.area += body.areas()[i];
  }
  return sums;
}

}  // namespace

void Scaling::Standardise(RowMatrix& features) const {
  for (Eigen::Index c = 0; c < features.cols(); ++c) {
    features.col(c) = (features.col(c).array() - mean[c]) / deviation[c];
  }
}

Scaling FitScaling(const FrameSet& frames) {
  const Eigen::Index columns = frames.bodies().front().columns();
  const Sums none{Eigen::RowVectorXd::Zero(columns), Eigen::RowVectorXd::Zero(columns)};
  const Sums sums = ParallelReduce(
      frames.count(), 1, none, [&](int entry, int) { return SumsOf(frames, entry); },
      [](Sums& total, const Sums& one) { total.Add(one); });
  Scaling scaling;
  for (Eigen::Index c = 0; c < columns; ++c) {
    const double mean = sums.first[c] / sums.rows;
    const double deviation = std::sqrt(std::max(0.0, sums.second[c] / sums.rows - mean * mean));
    scaling.mean.push_back(static_cast<float>(mean));
    scaling.deviation.push_back(deviation < kLeastDeviation ? 1.0f : static_cast<float>(deviation));
  }
  const double answer = std::sqrt(sums.squares / (3 * sums.area));
  if (answer > 0) scaling.answer = static_cast<float>(answer);
  return scaling;
}

}  // namespace sinew::graphnet
