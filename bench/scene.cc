#include "bench/scene.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/runtime/pose/pose.h"

namespace sinew::bench {
namespace {

using runtime::Affine;
using runtime::Float3;

constexpr float kTurn = 2 * std::numbers::pi_v<float>;

// A 32-bit mix of an index: the fixed generator.
uint32_t Mix(uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

Float3 TorusPoint(float u, float v, float bump) {
  const float r = 0.25f + bump;
  return {std::cos(u) * (0.7f + r * std::cos(v)), r * std::sin(v), std::sin(u) * (0.7f + r * std::cos(v))};
}

void AddGrid(Scene& scene) {
  for (int i = 0; i < Scene::kAround; ++i) {
    for (int j = 0; j < Scene::kAcross; ++j) {
      const float u = kTurn * static_cast<float>(i) / Scene::kAround;
      const float v = kTurn * static_cast<float>(j) / Scene::kAcross;
      scene.positions.push_back(TorusPoint(u, v, 0.02f * std::sin(9 * u) * std::cos(5 * v)));
      scene.normals.push_back({std::cos(u) * std::cos(v), std::sin(v), std::sin(u) * std::cos(v)});
    }
  }
  const auto index = [](int i, int j) {
    return static_cast<uint32_t>((i % Scene::kAround) * Scene::kAcross + j % Scene::kAcross);
  };
  for (int i = 0; i < Scene::kAround; ++i) {
    for (int j = 0; j < Scene::kAcross; ++j) {
      scene.triangles.insert(scene.triangles.end(), {index(i, j), index(i, j + 1), index(i + 1, j)});
      scene.triangles.insert(scene.triangles.end(), {index(i + 1, j), index(i, j + 1), index(i + 1, j + 1)});
    }
  }
}

}  // namespace

Scene MakeScene() {
  Scene scene;
  AddGrid(scene);
  for (int j = 0; j < Scene::kJoints; ++j) {
    const float angle = 0.4f * std::sin(static_cast<float>(3 * j));
    const float half = std::sin(angle / 2) / std::sqrt(3.0f);
    scene.matrices.push_back(runtime::ToAffine({.translation = {0.01f * static_cast<float>(j), 0.02f, -0.01f},
                                                .rotation = {half, half, half, std::cos(angle / 2)}}));
  }
  scene.rigid.resize(Scene::kJoints);
  runtime::RigidStretchJob{.matrices = scene.matrices, .joints = scene.rigid}.Run();
  return scene;
}

Weights MakeWeights(const int (&share)[4]) {
  Weights out;
  for (int v = 0; v < Scene::kVertices; ++v) {
    const int drawn = static_cast<int>(Mix(static_cast<uint32_t>(v)) % 100);
    int influences = 1;
    for (int below = share[0]; drawn >= below && influences < 4; ++influences) below += share[influences];
    float weights[4] = {}, sum = 0;
    for (int k = 0; k < influences; ++k) {
      weights[k] = 1 + static_cast<float>(Mix(static_cast<uint32_t>(4 * v + k)) % 1000);
      sum += weights[k];
    }
    std::sort(std::begin(weights), std::end(weights), std::greater<>());
    // Neighbours share their joints, as on a body.
    const int home = v * Scene::kJoints / Scene::kVertices;
    for (int k = 0; k < 4; ++k) {
      out.joints.push_back(static_cast<uint16_t>(k < influences ? (home + k) % Scene::kJoints : 0));
      out.weights.push_back(weights[k] / sum);
    }
  }
  return out;
}

}  // namespace sinew::bench
