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
  const Eigen::RowVectorXd none = Eigen::RowVectorXd::Zero(body.columns());
  Sums sums{none, none, static_cast<double>(body.points())};
  // Row by row, as they lie in memory.
  for (const auto row : frame.features.rowwise()) {
    sums.first += row.cast<double>();
    sums.second += row.cast<double>().cwiseAbs2();
  }
  for (int i = 0; i < body.points(); ++i) {
    sums.squares += body.areas()[i] * targets.row(i).cast<double>().squaredNorm();
    sums.area += body.areas()[i];
  }
  return sums;
}

}  // namespace

void Scaling::Standardise(RowMatrix& features) const {
  const Eigen::Map<const Eigen::RowVectorXf> means(mean.data(), features.cols());
  const Eigen::Map<const Eigen::RowVectorXf> deviations(deviation.data(), features.cols());
  for (auto row : features.rowwise()) row = ((row - means).array() / deviations.array()).matrix();
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
