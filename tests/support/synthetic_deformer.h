// A deformer that nothing was learned for: smooth random modes on the regions that a hierarchy has, random networks of
// the sizes that training makes, and range tests. For tests and benchmarks.
#ifndef SINEW_TESTS_SUPPORT_SYNTHETIC_DEFORMER_H_
#define SINEW_TESTS_SUPPORT_SYNTHETIC_DEFORMER_H_

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/deformer/deformer.h"
#include "sinew/offline/lod/hierarchy.h"

namespace sinew::testing {

struct SyntheticOptions {
  // Of each level, coarsest first; the last counts for all finer ones.
  std::vector<double> regions = {0.70, 0.65, 0.45, 0.49};  // share of the regions that have a network
  std::vector<int> modes = {13, 9, 5, 2};
  std::vector<int> own_modes = {6, 4, 2, 0};                // of the level alone
  std::vector<double> sizes = {0.01, 0.004, 0.002, 0.001};  // of displacements, of the body's height
  int joints = 4;                                           // that a network sees
  int max_width = 128;
  runtime::PoseFeatures features = runtime::PoseFeatures::kQuaternion;
  bool ranges = true;
  uint64_t seed = 1;
};

template <typename T>
T AtLevel(const std::vector<T>& values, int i) {
  return values[std::min(values.size() - 1, static_cast<size_t>(i) - 1)];
}

inline Points RestPoints(const lod::Level& level) {
  Points points(level.point_count, 3);
  int v = 0;
  for (const Part& part : level.character.parts) {
    for (int i = 0; i < part.mesh.vertex_count(); ++i, ++v) {
      points.row(level.point_of_vertex[v]) = part.mesh.positions.row(i);
    }
  }
  return points;
}

inline learn::Network RandomNetwork(Random& random, int inputs, int width, int outputs, double size) {
  const auto matrix = [&](int rows, int columns, double scale) {
    return Eigen::MatrixXf::NullaryExpr(
               rows, columns, [&] { return static_cast<float>(scale * random.Normal() / std::sqrt(columns)); })
        .eval();
  };
  learn::Network n;
  n.W1 = matrix(width, inputs, 1);
  n.W2 = matrix(width, width, 1);
  n.W3 = matrix(outputs, width, size);
  n.b1 = matrix(width, 1, 0.5);
  n.b2 = matrix(width, 1, 0.5);
  n.b3 = Eigen::VectorXf::Zero(outputs);
  n.b3 = -learn::Evaluate(n, Eigen::MatrixXf::Zero(inputs, 1));
  return n;
}

// V = psi times a wave through space, a mode a column.
inline Eigen::MatrixXf WavyModes(Random& random, const Points& rest, const std::vector<int>& points,
                                 const std::vector<double>& psi, int modes) {
  Eigen::MatrixXf V(3 * static_cast<Eigen::Index>(points.size()), modes);
  for (int m = 0; m < modes; ++m) {
    const Eigen::Vector3d direction{random.Normal(), random.Normal(), random.Normal()};
    const Eigen::Vector3d wave = Eigen::Vector3d{random.Normal(), random.Normal(), random.Normal()} * (4 + 3 * m);
    const double phase = random.Uniform(0, 6);
    for (size_t p = 0; p < points.size(); ++p) {
      const double at = psi[p] * std::sin(wave.dot(rest.row(points[p]).transpose().cast<double>()) + phase);
      V.block(static_cast<Eigen::Index>(3 * p), m, 3, 1) = (at * direction).cast<float>();
    }
    const float length = V.col(m).norm();
    if (length > 0) V.col(m) /= length;
  }
  return V;
}

inline deformer::RangeTest RandomRange(Random& random, const std::vector<int>& joints, int per_joint, int centres) {
  deformer::RangeTest test;
  test.joints = joints;
  const auto n = per_joint * static_cast<Eigen::Index>(joints.size());
  test.L = Eigen::MatrixXf::NullaryExpr(n, n, [&] { return static_cast<float>(random.Normal()); });
  test.centres = Eigen::MatrixXf::NullaryExpr(n, centres, [&] { return static_cast<float>(random.Normal()); });
  test.centres.col(0).setZero();
  test.inner = 1.5f * std::sqrt(static_cast<float>(n));
  test.outer = 2 * test.inner;
  return test;
}

inline deformer::Deformer SyntheticDeformer(const lod::Hierarchy& hierarchy, const SyntheticOptions& options = {}) {
  deformer::Deformer deformer;
  const int joint_count = hierarchy.levels.back().character.skeleton.joint_count();
  const int per_joint = runtime::FeatureCount(options.features);
  deformer.features = options.features;
  const Points finest = RestPoints(hierarchy.levels.back());
  deformer.height = finest.col(1).maxCoeff() - finest.col(1).minCoeff();
  deformer.settings = {{"synthetic", true}, {"seed", options.seed}};
  for (const std::string frame : {"one", "two"})
    deformer.trained_frames.push_back(HashHex(std::as_bytes(std::span(frame))));
  Random ranges(options.seed, 1);
  if (options.ranges) {
    for (int j = 0; j < joint_count; ++j) deformer.ranges.push_back(RandomRange(ranges, {j}, per_joint, 48));
  }
  for (int i = 1; i <= hierarchy.level_count(); ++i) {
    Random random(options.seed, 1 + static_cast<uint64_t>(i));
    const Points rest = RestPoints(hierarchy.level(i));
    const Eigen::SparseMatrix<double> psi = lod::BasisFunctions(hierarchy, i);
    deformer::LevelCorrectives& level = deformer.levels.emplace_back();
    for (int k = 0; k < hierarchy.region_count(); ++k) {
      deformer::RegionCorrective region;
      region.region = k;
      std::vector<double> weights;
      for (Eigen::SparseMatrix<double>::InnerIterator at(psi, k); at; ++at) {
        region.points.push_back(static_cast<int>(at.row()));
        weights.push_back(at.value());
      }
      const int first = static_cast<int>(random.Below(static_cast<uint32_t>(joint_count)));
      if (random.Uniform() >= AtLevel(options.regions, i) || region.points.empty()) continue;
      for (int j = 0; j < std::min(options.joints, joint_count); ++j)
        region.joints.push_back((first + j) % joint_count);
      std::sort(region.joints.begin(), region.joints.end());
      const int handed_on = AtLevel(options.modes, i), own = AtLevel(options.own_modes, i), modes = handed_on + own;
      const int inputs = per_joint * static_cast<int>(region.joints.size());
      region.V = WavyModes(random, rest, region.points, weights, handed_on);
      region.own = WavyModes(random, rest, region.points, weights, own);
      const int width = std::min(options.max_width, 5 * std::max(3 * static_cast<int>(region.joints.size()), modes));
      const double size =
          AtLevel(options.sizes, i) * deformer.height * std::sqrt(static_cast<double>(region.points.size()));
      region.network = RandomNetwork(random, inputs, width, modes, size);
      region.spread = Eigen::VectorXf::Constant(modes, static_cast<float>(size));
      if (options.ranges) {
        region.ranges = region.joints;
        region.ranges.push_back(static_cast<int>(deformer.ranges.size()));
        deformer.ranges.push_back(RandomRange(ranges, region.joints, per_joint, 1));
      }
      level.regions.push_back(std::move(region));
    }
  }
  return deformer;
}

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_SYNTHETIC_DEFORMER_H_
