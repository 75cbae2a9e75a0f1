// Meshes, weights and matrices for the runtime's tests, made of a fixed generator: no library beyond the standard one,
// because these tests also run on other CPUs.
#ifndef SINEW_TESTS_RUNTIME_SKIN_MESHES_H_
#define SINEW_TESTS_RUNTIME_SKIN_MESHES_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "sinew/runtime/pose/pose.h"
#include "sinew/runtime/skin/reference.h"

namespace sinew::testing {

using runtime::Affine;
using runtime::Float3;
using runtime::Float4;

class Generator {
 public:
  explicit Generator(uint32_t seed) : engine_(seed) {}
  float Uniform(float low, float high) {
    return low + (high - low) * static_cast<float>(engine_() >> 8) / static_cast<float>(1 << 24);
  }
  int Below(int n) { return static_cast<int>(engine_() % static_cast<uint32_t>(n)); }
  Float3 Point() { return {Uniform(-1, 1), Uniform(-1, 1), Uniform(-1, 1)}; }
  Float3 Direction() {
    const Float3 p = Point();
    const float length = std::sqrt(p.x * p.x + p.y * p.y + p.z * p.z) + 1e-6f;
    return {p.x / length, p.y / length, p.z / length};
  }
  runtime::Quaternion Rotation() { return {Uniform(-1, 1), Uniform(-1, 1), Uniform(-1, 1), Uniform(-1, 1)}; }
  // A rotation and a translation; scale: how far the factors along the axes are from 1.
  Affine Joint(float scale) {
    const auto factor = [&] { return 1 + Uniform(-scale, scale); };
    return runtime::ToAffine({.translation = Point(), .rotation = Rotation(), .scale = {factor(), factor(), factor()}});
  }

 private:
  std::mt19937 engine_;
};

struct RandomSkin {
  int slots = 0;
  std::vector<uint16_t> joints;
  std::vector<float> weights;

  runtime::PlainWeights plain() const { return {slots, joints, weights}; }
};

// Vertices with 1 to `slots` influences each, or exactly `slots` where `full`; different joints, strongest first.
inline RandomSkin MakeSkin(Generator& generator, int vertices, int joint_count, int slots, bool full) {
  RandomSkin skin{slots, {}, {}};
  for (int v = 0; v < vertices; ++v) {
    const int used = full ? slots : 1 + generator.Below(slots);
    const int home = generator.Below(joint_count);
    float sum = 0;
    std::vector<float> weights(slots, 0.0f);
    for (int k = 0; k < used; ++k) sum += weights[k] = generator.Uniform(0.1f, 1);
    std::sort(weights.rbegin(), weights.rend());
    for (int k = 0; k < slots; ++k) {
      skin.joints.push_back(static_cast<uint16_t>(k < used ? (home + k) % joint_count : 0));
      skin.weights.push_back(weights[k] / sum);
    }
  }
  return skin;
}

}  // namespace sinew::testing

#endif  // SINEW_TESTS_RUNTIME_SKIN_MESHES_H_
