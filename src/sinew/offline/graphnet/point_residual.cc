#include "sinew/offline/graphnet/point_residual.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"

namespace sinew::graphnet {
namespace {

using Eigen::MatrixXd;

constexpr int kMaxFolds = 10;
// Squared lengths, where 1 is the mean square by which inputs vary.
constexpr std::array<double, 5> kSquaredLengths = {1, 3, 10, 30, 100};
constexpr std::array<double, 6> kRidges = {1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3};
// Both are searched for on about so many points.
constexpr int kSearchPoints = 600;
// Columns that vary less than this, as a share of what the columns of their group do, are noise of rounding.
constexpr double kLeastVariation = 1e-3;
// Gains are those of a neighbourhood of about so many rings.
constexpr int kGainRounds = 4;
constexpr int kGrain = 32;

double Matern(double squared_distance, double length) {
  const double a = std::sqrt(3 * squared_distance) / length;
  return (1 + a) * std::exp(-a);
}

int FoldOf(int example, int examples) { return example * std::min(kMaxFolds, examples) / examples; }

// Examples at one point.
struct PointData {
  MatrixXd squares;  // squared distances of the scaled inputs, examples by examples
  MatrixXd missing;  // examples by 3
};

struct PointFit {
  MatrixXd weights;   // (K + lambda I)^-1 R
  MatrixXd held_out;  // answers of fits to other folds
};

// Answers that leave out a fold F follow from the one inverse B of K + lambda I: they lack (B_FF)^-1 (B R)_F (Eq. 5.12
// for folds of several).
PointFit FitPoint(const PointData& data, double length, double ridge) {
  const auto n = static_cast<int>(data.squares.rows());
  MatrixXd K = data.squares.unaryExpr([&](double square) { return Matern(square, length); });
  K.diagonal().array() += ridge;
  const MatrixXd B = Eigen::LLT<MatrixXd>(K).solve(MatrixXd::Identity(n, n));
  PointFit fit{B * data.missing, data.missing};
  for (int begin = 0, end = 0; begin < n; begin = end) {
    while (end < n && FoldOf(end, n) == FoldOf(begin, n)) ++end;
    const int size = end - begin;
    const MatrixXd inside = B.block(begin, begin, size, size);
    fit.held_out.middleRows(begin, size) -= Eigen::LLT<MatrixXd>(inside).solve(fit.weights.middleRows(begin, size));
  }
  return fit;
}

double SumOfLengths(const MatrixXd& rows) { return rows.rowwise().norm().sum(); }

}  // namespace

RowMatrix PointResidual::Evaluate(const RowMatrix& inputs) const {
  const auto columns = static_cast<Eigen::Index>(columns_.size());
  RowMatrix residual = RowMatrix::Zero(inputs.rows(), 3);
  Eigen::RowVectorXf z(columns);
  for (Eigen::Index p = 0; p < inputs.rows(); ++p) {
    for (Eigen::Index c = 0; c < columns; ++c) z[c] = inputs(p, columns_[c]) * scale_[c];
    for (size_t i = 0; i < examples_.size(); ++i) {
      const float square = (examples_[i].row(p) - z).squaredNorm();
      residual.row(p) += static_cast<float>(Matern(square, length_)) * weights_[i].row(p);
    }
  }
  return residual;
}

class ResidualFitter {
 public:
  ResidualFitter(const std::vector<ResidualExample>& examples, const std::vector<float>& areas)
      : given_(examples), areas_(areas), count_(static_cast<int>(examples.size())) {
    for (const float area : areas) total_area_ += area;
  }

  ResidualFit Fit(const std::vector<int>& groups, const Csr& neighbours) {
    ScaleColumns(groups);
    Search();
    if (!(fit_.length > 0)) {
      fit_.held_out.assign(count_, RowMatrix::Zero(points(), 3));
      fit_.residual = {};
      fit_.error_before = fit_.error_after = MeanLength({});
      return std::move(fit_);
    }
    FitAllPoints();
    ApplyGains(neighbours);
    fit_.error_before = MeanLength({});
    fit_.error_after = MeanLength(fit_.held_out);
    return std::move(fit_);
  }

 private:
  int points() const { return static_cast<int>(areas_.size()); }

  // Mean square by which a column varies at a point, over points by their area.
  double VariationOf(int column) const {
    double sum = 0;
    for (int p = 0; p < points(); ++p) {
      double mean = 0, square = 0;
      for (const ResidualExample& example : given_) mean += example.inputs(p, column);
      mean /= count_;
      for (const ResidualExample& example : given_) square += std::pow(example.inputs(p, column) - mean, 2);
      sum += areas_[p] * square;
    }
    return sum / (count_ * total_area_);
  }

  // Scales columns such that each varies as much as the others of its group, and every group as much as the others.
  void ScaleColumns(const std::vector<int>& groups) {
    PointResidual& residual = fit_.residual;
    std::vector<double> variations(given_[0].inputs.cols());
    ParallelFor(static_cast<int>(variations.size()), 1, [&](int c) { variations[c] = VariationOf(c); });
    std::vector<float> scale;
    int begin = 0;
    for (const int size : groups) {
      const double largest = *std::max_element(variations.begin() + begin, variations.begin() + begin + size);
      std::vector<int> used;
      for (int c = begin; c < begin + size; ++c) {
        if (variations[c] > kLeastVariation * kLeastVariation * largest) used.push_back(c);
      }
      for (const int c : used) {
        residual.columns_.push_back(c);
        const double share = static_cast<double>(used.size() * groups.size());
        scale.push_back(static_cast<float>(1 / std::sqrt(share * variations[c])));
      }
      begin += size;
    }
    residual.scale_ = Eigen::Map<Eigen::RowVectorXf>(scale.data(), static_cast<Eigen::Index>(scale.size()));
    for (const ResidualExample& example : given_) {
      residual.examples_.push_back(example.inputs(Eigen::all, residual.columns_) * residual.scale_.asDiagonal());
    }
  }

  PointData DataOf(int point) const {
    PointData data{MatrixXd(count_, count_), MatrixXd(count_, 3)};
    const std::vector<RowMatrix>& z = fit_.residual.examples_;
    for (int i = 0; i < count_; ++i) {
      for (int j = 0; j < count_; ++j) data.squares(i, j) = (z[i].row(point) - z[j].row(point)).squaredNorm();
      data.missing.row(i) = given_[i].missing.row(point).cast<double>();
    }
    return data;
  }

  // Finds the length and the ridge with the smallest error in examples that are held out.
  void Search() {
    const int stride = std::max(1, points() / kSearchPoints), searched = (points() + stride - 1) / stride;
    using Errors = Eigen::ArrayXd;  // of all choices, and of no residual
    const auto chunk = [&](int begin, int end) {
      Errors errors = Errors::Zero(kSquaredLengths.size() * kRidges.size() + 1);
      for (int k = begin; k < end; ++k) {
        const PointData data = DataOf(k * stride);
        Eigen::Index choice = 0;
        for (const double square : kSquaredLengths) {
          for (const double ridge : kRidges) {
            const PointFit fit = FitPoint(data, std::sqrt(square), ridge);
            errors[choice++] += areas_[k * stride] * SumOfLengths(data.missing - fit.held_out);
          }
        }
        errors[choice] += areas_[k * stride] * SumOfLengths(data.missing);
      }
      return errors;
    };
    const Errors errors =
        ParallelReduce(searched, kGrain, Errors(Errors::Zero(kSquaredLengths.size() * kRidges.size() + 1)), chunk,
                       [](Errors& total, const Errors& more) { total += more; });
    Eigen::Index best = 0;
    if (!(errors.head(errors.size() - 1).minCoeff(&best) < errors[errors.size() - 1])) return;
    fit_.length = std::sqrt(kSquaredLengths[best / kRidges.size()]);
    fit_.ridge = kRidges[best % kRidges.size()];
  }

  void FitAllPoints() {
    fit_.residual.length_ = static_cast<float>(fit_.length);
    fit_.residual.weights_.assign(count_, RowMatrix(points(), 3));
    fit_.held_out.assign(count_, RowMatrix(points(), 3));
    ParallelFor(points(), kGrain, [&](int p) {
      const PointFit fit = FitPoint(DataOf(p), fit_.length, fit_.ridge);
      for (int i = 0; i < count_; ++i) {
        fit_.residual.weights_[i].row(p) = fit.weights.row(i).cast<float>();
        fit_.held_out[i].row(p) = fit.held_out.row(i).cast<float>();
      }
    });
  }

  // Multiplies the residual at every point by the factor, from 0 to 1, with which residuals that are held out are
  // nearest to what is missing, by squares over a neighbourhood.
  void ApplyGains(const Csr& neighbours) {
    Eigen::ArrayXXd terms(points(), 2);  // products with what is missing, squares
    for (int p = 0; p < points(); ++p) {
      double product = 0, square = 0;
      for (int i = 0; i < count_; ++i) {
        product += fit_.held_out[i].row(p).dot(given_[i].missing.row(p));
        square += fit_.held_out[i].row(p).squaredNorm();
      }
      terms.row(p) << areas_[p] * product, areas_[p] * square;
    }
    for (int round = 0; round < kGainRounds; ++round) {
      Eigen::ArrayXXd means = terms;
      for (int p = 0; p < points(); ++p) {
        for (const int other : neighbours[p]) means.row(p) += terms.row(other);
        means.row(p) /= 1.0 + static_cast<double>(neighbours[p].size());
      }
      terms = std::move(means);
    }
    for (int p = 0; p < points(); ++p) {
      const double gain = terms(p, 1) > 0 ? std::clamp(terms(p, 0) / terms(p, 1), 0.0, 1.0) : 0;
      for (int i = 0; i < count_; ++i) {
        fit_.residual.weights_[i].row(p) *= static_cast<float>(gain);
        fit_.held_out[i].row(p) *= static_cast<float>(gain);
      }
    }
  }

  // Mean length of what is missing, less some answers, over area and examples. answers: empty, or one per example.
  double MeanLength(const std::vector<RowMatrix>& answers) const {
    double sum = 0;
    for (int i = 0; i < count_; ++i) {
      for (int p = 0; p < points(); ++p) {
        Eigen::RowVector3f left = given_[i].missing.row(p);
        if (!answers.empty()) left -= answers[i].row(p);
        sum += areas_[p] * left.norm();
      }
    }
    return sum / (count_ * total_area_);
  }

  const std::vector<ResidualExample>& given_;
  const std::vector<float>& areas_;
  int count_;
  double total_area_ = 0;
  ResidualFit fit_;
};

ResidualFit FitPointResidual(const std::vector<ResidualExample>& examples, const std::vector<int>& groups,
                             const std::vector<float>& areas, const Csr& neighbours) {
  if (examples.size() < 2) throw UsageError("a network is tuned to two true shapes or more");
  return ResidualFitter(examples, areas).Fit(groups, neighbours);
}

}  // namespace sinew::graphnet
