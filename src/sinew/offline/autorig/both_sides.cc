#include "sinew/offline/autorig/both_sides.h"

#include "sinew/offline/core/parallel.h"

namespace sinew::autorig {
namespace {

constexpr int kVerticesAtOnce = 256;

}  // namespace

void MirrorJoints(const MirrorImage& image, JointPositions& joints) {
  const JointPositions before = joints;
  const Eigen::Affine3d reflection = image.reflection.cast<double>();
  for (int j = 0; j < kJoints; ++j) {
    const Eigen::Vector3d other = reflection * Eigen::Vector3d(before.row(BipedJoints()[j].mirrored).transpose());
    joints.row(j) = (before.row(j) + other.transpose()) / 2;
  }
}

void MirrorWeights(const MirrorImage& image, RowMatrix& weights) {
  const RowMatrix before = weights;
  ParallelFor(static_cast<int>(weights.rows()), kVerticesAtOnce, [&](int v) {
    Eigen::RowVectorXf there = Eigen::RowVectorXf::Zero(before.cols());
    const Symmetry::Place& place = image.places[v];
    for (int c = 0; c < 3; ++c) there += place.weights[c] * before.row(place.vertices[c]);
    for (int j = 0; j < kJoints; ++j) weights(v, j) = (before(v, j) + there[BipedJoints()[j].mirrored]) / 2;
  });
}

}  // namespace sinew::autorig
