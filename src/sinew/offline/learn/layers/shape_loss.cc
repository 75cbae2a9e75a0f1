#include "sinew/offline/learn/layers/shape_loss.h"

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/error.h"

namespace sinew::layers {

size_t JointNetworks::parameter_count() const {
  size_t count = 0;
  for (int k = 0; k < 3; ++k) count += static_cast<size_t>(joints) * (InputsOf(k) + 1) * widths[k];
  return count;
}

std::vector<float> JointNetworks::InitialParameters(Random& random) const {
  std::vector<float> parameters;
  for (int k = 0; k < 3; ++k) {
    const double limit = std::sqrt(6.0 / (InputsOf(k) + widths[k]));
    const int weights = joints * InputsOf(k) * widths[k];
    for (int w = 0; w < weights; ++w) parameters.push_back(static_cast<float>(random.Uniform(-limit, limit)));
    parameters.resize(parameters.size() + static_cast<size_t>(joints) * widths[k], 0.0F);
  }
  return parameters;
}

RowMatrix JointNetworks::Coefficients(std::span<const float> parameters, const ConstRows& rotations) const {
  if (parameters.size() != parameter_count() || rotations.rows() != joints || rotations.cols() != kInputs) {
    throw UsageError("the rotations or the weights are not those of the joints' networks");
  }
  using RowVector = Eigen::RowVectorXf;
  RowVector rest = RowVector::Zero(kInputs);
  rest[0] = rest[4] = rest[8] = 1;
  RowMatrix alpha(joints, widths.back());
  for (int j = 0; j < joints; ++j) {
    RowMatrix x = RowMatrix::Zero(2, kInputs);  // in the pose, and at rest
    x.row(0) = rotations.row(j) - rest;
    const float* layer = parameters.data();
    for (int k = 0; k < 3; ++k) {
      const int inputs = InputsOf(k), outputs = widths[k];
      const Eigen::Map<const RowMatrix> W(layer + static_cast<ptrdiff_t>(j) * inputs * outputs, inputs, outputs);
      layer += static_cast<ptrdiff_t>(joints) * inputs * outputs;
      const Eigen::Map<const RowVector> b(layer + static_cast<ptrdiff_t>(j) * outputs, outputs);
      layer += static_cast<ptrdiff_t>(joints) * outputs;
      if (k > 0) x = x.cwiseMax(slope * x);
      x = ((x * W).rowwise() + b).eval();
    }
    alpha.row(j) = x.row(0) - x.row(1);
  }
  return alpha;
}

RowMatrix VertexMeans(std::span<const std::array<int, 2>> ends, const ConstRows& edges, int vertices) {
  RowMatrix means = RowMatrix::Zero(vertices, edges.cols());
  std::vector<int> counts(vertices, 0);
  for (size_t e = 0; e < ends.size(); ++e) {
    for (const int v : ends[e]) {
      means.row(v) += edges.row(static_cast<Eigen::Index>(e));
      ++counts[v];
    }
  }
  for (int v = 0; v < vertices; ++v) means.row(v) /= static_cast<float>(std::max(1, counts[v]));
  return means;
}

RowMatrix AddedByShapes(const ConstRows& masks, const ConstRows& B, const ConstRows& alpha) {
  const RowMatrix mixed = masks * alpha;
  RowMatrix added = RowMatrix::Zero(B.rows(), 3);
  for (Eigen::Index i = 0; i < alpha.cols(); ++i) {
    added += (B.middleCols(3 * i, 3).array().colwise() * mixed.col(i).array()).matrix();
  }
  return added;
}

RowMatrix ShapeResidual(const JointNetworks& networks, std::span<const float> parameters, const ShapeBody& body,
                        const ShapePose& pose, const ConstRows& B) {
  const RowMatrix added = AddedByShapes(body.masks, B, networks.Coefficients(parameters, pose.rotations));
  RowMatrix residual = pose.off;
  for (Eigen::Index v = 0; v < added.rows(); ++v) {
    const Eigen::Map<const Eigen::Matrix<float, 3, 3, Eigen::RowMajor>> turn(pose.turns.row(v).data());
    residual.row(v) += (turn * added.row(v).transpose()).transpose();
  }
  return residual;
}

double ShapeLoss(const JointNetworks& networks, std::span<const float> parameters, const ShapeBody& body,
                 std::span<const ShapePose> poses, const ConstRows& B, double scale) {
  double sum = 0;
  for (const ShapePose& pose : poses) {
    const RowMatrix residual = ShapeResidual(networks, parameters, body, pose, B);
    for (Eigen::Index v = 0; v < residual.rows(); ++v) {
      sum += double{body.shares[v]} * residual.row(v).cast<double>().squaredNorm();
    }
  }
  return scale * scale * sum / static_cast<double>(std::max<size_t>(1, poses.size()));
}

}  // namespace sinew::layers
