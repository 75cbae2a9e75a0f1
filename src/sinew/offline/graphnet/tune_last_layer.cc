#include "sinew/offline/graphnet/tune_last_layer.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"

namespace sinew::graphnet {
namespace {

using Eigen::MatrixXd;

constexpr int kFolds = 5;
constexpr std::array<double, 6> kRidges = {1e-3, 1e-2, 0.1, 1, 10, 100};
// Part of the ridge that does not depend on a column: columns that are always zero have no change.
constexpr double kLeastSquare = 1e-9;
constexpr float kSameAnswer = 1e-3F;

// Terms of the regression, summed over points by their share of the area: with x = (h, 1), of x' x, x' r and r' r.
struct Terms {
  MatrixXd A, B;
  double c = 0;

  void Add(const Terms& other, double sign = 1) {
    A += sign * other.A;
    B += sign * other.B;
    c += sign * other.c;
  }
  // Squared error that is left with a change D.
  double Left(const MatrixXd& D) const { return c - 2 * D.cwiseProduct(B).sum() + D.cwiseProduct(A * D).sum(); }
  MatrixXd Solve(double ridge) const {
    MatrixXd regular = A;
    regular.diagonal() += ridge * A.diagonal();
    regular.diagonal().array() += kLeastSquare;
    return Eigen::LDLT<MatrixXd>(regular).solve(B);
  }
};

// Places of the last layer's weight and bias among the parameters. The rows that it reads are `inputs` wide.
struct LastLayer {
  const layers::TensorPlace *weight, *bias;
};
LastLayer FindLastLayer(const layers::DescribedNetwork& network) {
  const std::vector<layers::TensorPlace>& tensors = network.tensors();
  if (tensors.size() >= 2) {
    const LastLayer last{&tensors[tensors.size() - 2], &tensors.back()};
    const auto ends = [](const std::string& name, const std::string& with) {
      return name.size() > with.size() && name.compare(name.size() - with.size(), with.size(), with) == 0;
    };
    if (ends(last.weight->name, ".weight") && ends(last.bias->name, ".bias") && last.bias->columns == 3) return last;
  }
  throw UsageError("the network does not end in a linear layer, which is what can be tuned");
}

Terms TermsOf(const Predictor& predictor, const Body& body, const layers::Graph& graph, const Example& example,
              const LastLayer& last) {
  const Body::Frame frame = body.Evaluate(example.pose);
  RowMatrix features = frame.features;
  predictor.scaling().Standardise(features);
  const layers::NetworkTrace trace = predictor.network().Forward(predictor.parameters(), features,
                                                                 {.graph = &graph, .coarser = body.coarser()}, false);
  const RowMatrix& hidden = trace.layers[trace.layers.size() - 2].output;
  const float* parameters = predictor.parameters().data();
  const Eigen::Map<const RowMatrix> W(parameters + last.weight->offset, last.weight->rows, last.weight->columns);
  const Eigen::Map<const Eigen::RowVectorXf> b(parameters + last.bias->offset, last.bias->columns);
  const bool fits = hidden.cols() == W.rows() && hidden.rows() == trace.output().rows() &&
                    ((hidden * W).rowwise() + b - trace.output()).cwiseAbs().maxCoeff() < kSameAnswer;
  if (!fits) throw UsageError("the network's last layer reads more than the layer before it, and cannot be tuned");

  MatrixXd x(hidden.rows(), hidden.cols() + 1);
  x << hidden.cast<double>(), Eigen::VectorXd::Ones(hidden.rows());
  const RowMatrix targets = body.Targets(frame, example.truth) / predictor.scaling().answer;
  const MatrixXd r = (targets - trace.output()).cast<double>();
  const Eigen::Map<const Eigen::VectorXf> areas(body.areas().data(), body.points());
  const Eigen::VectorXd share = areas.cast<double>() / areas.cast<double>().sum();
  return {x.transpose() * share.asDiagonal() * x, x.transpose() * share.asDiagonal() * r,
          (share.asDiagonal() * r).cwiseProduct(r).sum()};
}

// Squared error of held-out frames with this ridge, summed over all frames.
double HeldOutError(const std::vector<Terms>& frames, const Terms& all, double ridge) {
  const int folds = std::min(kFolds, static_cast<int>(frames.size()));
  double left = 0;
  for (int fold = 0; fold < folds; ++fold) {
    Terms rest = all;
    for (size_t f = fold; f < frames.size(); f += folds) rest.Add(frames[f], -1);
    const MatrixXd D = rest.Solve(ridge);
    for (size_t f = fold; f < frames.size(); f += folds) left += frames[f].Left(D);
  }
  return left;
}

}  // namespace

Tuning TuneLastLayer(const Predictor& predictor, const Body& body, const layers::Graph& graph,
                     const std::vector<Example>& examples) {
  if (examples.size() < 2) throw UsageError("a network is tuned to two true shapes or more");
  const LastLayer last = FindLastLayer(predictor.network());
  std::vector<Terms> frames(examples.size());
  ParallelFor(static_cast<int>(frames.size()), 1,
              [&](int f) { frames[f] = TermsOf(predictor, body, graph, examples[f], last); });
  Terms all = frames[0];
  for (size_t f = 1; f < frames.size(); ++f) all.Add(frames[f]);

  Tuning tuning{predictor.parameters()};
  double best = all.c;
  for (const double ridge : kRidges) {
    const double left = HeldOutError(frames, all, ridge);
    if (!(left < best)) continue;
    best = left;
    tuning.ridge = ridge;
  }
  const auto error = [&](double squares) {
    return predictor.scaling().answer * std::sqrt(std::max(squares, 0.0) / static_cast<double>(frames.size()));
  };
  tuning.error_before = error(all.c);
  tuning.error_after = error(best);
  if (!(tuning.ridge > 0)) return tuning;
  const RowMatrix D = all.Solve(tuning.ridge).cast<float>();
  const Eigen::Index inputs = last.weight->rows;
  Eigen::Map<RowMatrix>(tuning.parameters.data() + last.weight->offset, inputs, 3) += D.topRows(inputs);
  Eigen::Map<Eigen::RowVector3f>(tuning.parameters.data() + last.bias->offset) += D.row(inputs);
  return tuning;
}

}  // namespace sinew::graphnet
