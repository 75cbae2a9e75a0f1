// A small topology of a rig pack for tests.
#ifndef SINEW_TESTS_OFFLINE_CORPUS_RIG_TOPOLOGIES_H_
#define SINEW_TESTS_OFFLINE_CORPUS_RIG_TOPOLOGIES_H_

#include "sinew/offline/core/random.h"
#include "sinew/offline/corpus/packed_numbers.h"
#include "sinew/offline/corpus/rig_topology.h"

namespace sinew::corpus {

inline SkinWeights SmallWeights(int points, uint64_t seed) {
  SkinWeights weights{.influences = kPackedInfluences, .joints = {}, .weights = {}};
  Random random(seed);
  for (int i = 0; i < points; ++i) {
    const auto w = static_cast<float>(random.Uniform(0.5, 1));
    weights.joints.insert(weights.joints.end(), {1, 0, 0, 0});
    weights.weights.insert(weights.weights.end(), {w, 1 - w, 0, 0});
  }
  return weights;
}

// A tetrahedron in two shapes on two joints, with a connectivity to train with and one to test with.
inline RigTopology SmallTopology(bool shared_weights = true) {
  RigTopology topology;
  topology.name = "tet";
  topology.joints = {"root", "tip"};
  topology.parents = {-1, 0};
  topology.triangles.resize(4, 3);
  topology.triangles << 0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2;
  for (int b = 0; b < 2; ++b) {
    RigShape shape;
    shape.body = b == 0 ? "tet_000" : "tet_001";
    shape.rest.resize(4, 3);
    shape.rest << 0, 0, 0, 1, 0, 0, 0, 1.5f, 0, 0, 0, 1;
    shape.rest *= 1 + 0.25f * static_cast<float>(b);
    shape.joints = shape.rest.topRows(2);
    if (!shared_weights) shape.weights = SmallWeights(4, static_cast<uint64_t>(b));
    topology.shapes.push_back(shape);
  }
  if (shared_weights) topology.weights = SmallWeights(4, 9);
  RigMap map;
  map.seed = 7;
  map.base = "same";
  map.sources = {{0, 0, 0}, {1, 2, 2}, {3, 1, 2}};
  map.weights = {{1, 0, 0}, {0.5f, 0.5f, 0}, {0.4f, 0.35f, 0.25f}};
  map.triangles.resize(1, 3);
  map.triangles << 0, 1, 2;
  topology.maps = {map, map};
  topology.maps[1].side = dataset::Side::kTest;
  topology.maps[1].seed = 8;
  RoundToRigPack(topology);
  return topology;
}

}  // namespace sinew::corpus

#endif  // SINEW_TESTS_OFFLINE_CORPUS_RIG_TOPOLOGIES_H_
