// A small packed body for tests.
#ifndef SINEW_TESTS_OFFLINE_CORPUS_PACKED_BODIES_H_
#define SINEW_TESTS_OFFLINE_CORPUS_PACKED_BODIES_H_

#include "sinew/offline/core/random.h"
#include "sinew/offline/corpus/packed_body.h"

namespace sinew::corpus {

// Four points on two joints, three frames, two modes.
inline PackedBody SmallPackedBody() {
  PackedBody body;
  body.name = "small_000";
  body.skeleton.joints = {{.name = "root", .parent = -1, .rest = {}}, {.name = "tip", .parent = 0, .rest = {}}};
  body.inverse_bind.assign(2, Eigen::Affine3f::Identity());
  body.rest.resize(4, 3);
  body.rest << 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0.3f;
  body.triangles.resize(2, 3);
  body.triangles << 0, 1, 2, 0, 2, 3;
  body.weights = {.influences = kPackedInfluences, .joints = {}, .weights = {}};
  Random random(3);
  for (int i = 0; i < 4; ++i) {
    const float w = static_cast<float>(random.Uniform(0.5, 1));
    body.weights.joints.insert(body.weights.joints.end(), {1, 0, 0, 0});
    body.weights.weights.insert(body.weights.weights.end(), {w, 1 - w, 0, 0});
  }
  body.motions = {"samples", "walk"};
  body.frames = {{.side = dataset::Side::kTrain, .frame = 0, .motion = 0, .hash = 0x0123456789abcdef},
                 {.side = dataset::Side::kTrain, .frame = 2, .motion = 1, .hash = 7},
                 {.side = dataset::Side::kValidation, .frame = 5, .motion = 1, .hash = ~uint64_t{0}}};
  body.poses.assign(3, body.skeleton.RestPose());
  body.poses[1][1].rotation = ToQuaternion(Eigen::Quaternionf(0.6f, 0.8f, 0, 0));
  body.modes.resize(2, 12);
  for (int& number : body.modes.reshaped()) number = static_cast<int>(random.Below(200)) - 100;
  body.step = 0.0005f;
  body.scales = Eigen::Vector2f(0.01f, 0.02f);
  body.coefficients.resize(3, 2);
  for (int f = 0; f < 3; ++f) {
    for (int k = 0; k < 2; ++k) {
      body.coefficients(f, k) = body.scales[k] * static_cast<float>(static_cast<int>(random.Below(100)) - 50);
    }
  }
  body.mean_residual = 0.01f;
  body.loss = 0.04f;
  RoundToPack(body);
  return body;
}

}  // namespace sinew::corpus

#endif  // SINEW_TESTS_OFFLINE_CORPUS_PACKED_BODIES_H_
