// A small surface with a rig of four joints, for tests of its loss.
#ifndef SINEW_TESTS_OFFLINE_LEARN_LAYERS_SMALL_RIG_LOSS_H_
#define SINEW_TESTS_OFFLINE_LEARN_LAYERS_SMALL_RIG_LOSS_H_

#include <Eigen/Geometry>
#include <vector>

#include "sinew/offline/core/random.h"
#include "sinew/offline/learn/layers/rig_loss.h"

namespace sinew::layers {

struct SmallRig {
  RigLossOptions options = {.parents = {-1, 0, 1, 0},
                            .means = {},
                            .deviation = 0.3,
                            .scale = 1.5,
                            .weights = 1,
                            .offsets = 2,
                            .root = 0.5,
                            .poses = {1, 3}};
  RigTruth truth;
  std::vector<RigPose> poses;

  // A ring of points, each joined to the next and to the one after it: truth is that of one weight per ring of edges,
  // so that an answer on edges can be right.
  explicit SmallRig(int points = 9, uint64_t seed = 1) {
    Random random(seed);
    const auto draw = [&random](Eigen::Index rows, Eigen::Index columns) {
      RowMatrix m(rows, columns);
      for (float& value : m.reshaped()) value = static_cast<float>(random.Normal());
      return m;
    };
    for (int k = 0; k < 12; ++k) options.means.push_back(random.Normal());
    for (int v = 0; v < points; ++v) {
      truth.ends.push_back({v, (v + 1) % points});
      truth.ends.push_back({v, (v + 2) % points});
    }
    truth.points = draw(points, 3);
    truth.joints = draw(4, 3);
    truth.weights = RowMatrix(points, 4);
    const RowMatrix one = draw(1, 4).cwiseAbs();
    for (int v = 0; v < points; ++v) truth.weights.row(v) = one / one.sum();
    float sum = 0;
    for (int v = 0; v < points; ++v) truth.shares.push_back(static_cast<float>(1 + v % 3)), sum += truth.shares[v];
    for (float& share : truth.shares) share /= sum;
    for (int p = 0; p < 2; ++p) poses.push_back(DrawPose(random));
  }

  static RigPose DrawPose(Random& random) {
    RigPose pose(4, 9);
    for (int j = 0; j < 4; ++j) {
      const Eigen::Vector3d axis{random.Normal(), random.Normal(), random.Normal()};
      const Eigen::Matrix3d turn =
          Eigen::AngleAxisd(j == 0 ? 0 : 1 + random.Uniform(), axis.normalized()).toRotationMatrix();
      for (int k = 0; k < 9; ++k) pose(j, k) = static_cast<float>(turn(k / 3, k % 3));
    }
    return pose;
  }

  RowMatrix TrueAnswer() const {
    RowMatrix answer(static_cast<Eigen::Index>(truth.ends.size()), 16);
    for (Eigen::Index e = 0; e < answer.rows(); ++e) {
      answer.row(e).head(4) = truth.weights.row(0);
      for (int k = 0; k < 12; ++k) {
        answer(e, 4 + k) = static_cast<float>((truth.joints(k / 3, k % 3) - options.means[k]) / options.deviation);
      }
    }
    return answer;
  }
  // Weights that sum to 1 and differ by more than a step of a gradient check, so that their order does not change.
  RowMatrix OtherAnswer() const {
    RowMatrix answer = TrueAnswer();
    for (Eigen::Index e = 0; e < answer.rows(); ++e) {
      answer.row(e).head(4) << 0.1f, 0.2f, 0.3f, 0.4f;
      answer(e, 0) += 0.03f * static_cast<float>(e % 3);
      answer(e, 3) -= 0.03f * static_cast<float>(e % 3);
    }
    for (int k = 0; k < 12; ++k) answer.col(4 + k).array() += 0.3f * static_cast<float>(k % 5 - 2);
    return answer;
  }
};

}  // namespace sinew::layers

#endif  // SINEW_TESTS_OFFLINE_LEARN_LAYERS_SMALL_RIG_LOSS_H_
