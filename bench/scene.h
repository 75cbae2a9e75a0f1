// What the skinning benchmarks skin: a bumpy torus of 75,000 vertices and 150,000 triangles, and 24 joints around it in
// a pose. Made of sines and a fixed generator, so that every machine measures, and hashes, the same numbers.
#ifndef SINEW_BENCH_SCENE_H_
#define SINEW_BENCH_SCENE_H_

#include <cstdint>
#include <vector>

#include "sinew/offline/tables/skin_builder.h"
#include "sinew/runtime/skin/skin.h"

namespace sinew::bench {

struct Scene {
  static constexpr int kAround = 375, kAcross = 200, kVertices = kAround * kAcross, kJoints = 24;
  std::vector<runtime::Float3> positions, normals;
  std::vector<uint32_t> triangles;
  std::vector<runtime::Affine> matrices;
  std::vector<runtime::RigidStretch> rigid;
};
Scene MakeScene();

// Four slots a vertex. share[k]: how many of 100 vertices have k + 1 influences. Which ones is drawn vertex by vertex:
// the least favourable order there is for a kernel that is specialised by that number.
struct Weights {
  std::vector<uint16_t> joints;
  std::vector<float> weights;

  runtime::PlainWeights plain() const { return {4, joints, weights}; }
};
Weights MakeWeights(const int (&share)[4]);

}  // namespace sinew::bench

#endif  // SINEW_BENCH_SCENE_H_
