// What the tests of bundles share: a small character with a seam, its levels, and a deformer.
#ifndef SINEW_TESTS_OFFLINE_BAKE_BAKING_H_
#define SINEW_TESTS_OFFLINE_BAKE_BAKING_H_

#include <map>
#include <vector>

#include "sinew/offline/bake/bundle_builder.h"
#include "sinew/offline/bake/bundle_evaluator.h"
#include "sinew/offline/lod/hierarchy.h"
#include "tests/support/synthetic_deformer.h"
#include "tests/support/test_character.h"

namespace sinew::testing {

// Vertices of triangles on the left side are split from those on the right, with texture coordinates that differ.
inline void SplitAlongTheMiddle(Part& part) {
  const TriMesh whole = part.mesh;
  std::map<std::pair<int, bool>, int> copies;
  std::vector<int> from;
  std::vector<float> uv;
  for (int t = 0; t < whole.triangle_count(); ++t) {
    float x = 0;
    for (int c = 0; c < 3; ++c) x += whole.positions(whole.triangles(t, c), 0);
    for (int c = 0; c < 3; ++c) {
      const int v = whole.triangles(t, c);
      const auto [at, added] = copies.try_emplace({v, x > 0}, static_cast<int>(from.size()));
      if (added) {
        from.push_back(v);
        uv.push_back(whole.positions(v, 1) + (x > 0 ? 1.0f : 0.0f));
        uv.push_back(whole.positions(v, 2));
      }
      part.mesh.triangles(t, c) = at->second;
    }
  }
  const Points normals = part.normals;
  const SkinWeights weights = part.weights;
  const auto n = static_cast<Eigen::Index>(from.size());
  part.mesh.positions.resize(n, 3);
  part.normals.resize(n, 3);
  part.weights.joints.clear();
  part.weights.weights.clear();
  for (Eigen::Index v = 0; v < n; ++v) {
    part.mesh.positions.row(v) = whole.positions.row(from[v]);
    part.normals.row(v) = normals.row(from[v]);
    for (int k = 0; k < weights.influences; ++k) {
      part.weights.joints.push_back(weights.joints[from[v] * weights.influences + k]);
      part.weights.weights.push_back(weights.weights[from[v] * weights.influences + k]);
    }
  }
  part.attributes.push_back({.name = "TEXCOORD_0", .components = 2, .values = uv});
}

struct SmallCharacter {
  lod::Hierarchy hierarchy;
  deformer::Deformer deformer;
};

inline SmallCharacter MakeSmallCharacter(const SyntheticOptions& options = {}) {
  Character character = TestCharacter();
  SplitAlongTheMiddle(character.parts[0]);
  SmallCharacter small;
  small.hierarchy = lod::BuildHierarchy(character, "egg", {.points = {160, 60}, .regions = 12});
  small.deformer = SyntheticDeformer(small.hierarchy, options);
  return small;
}

// The same with its first joints named as a hand's, all side by side.
inline SmallCharacter SideBySide(SmallCharacter small) {
  const Skeleton hand = MakeFlatHand();
  for (lod::Level& level : small.hierarchy.levels) {
    std::vector<Joint>& joints = level.character.skeleton.joints;
    for (size_t j = 0; j < joints.size(); ++j) {
      joints[j].parent = -1;
      if (j < hand.joints.size()) joints[j].name = hand.joints[j].name;
    }
  }
  return small;
}

// Every joint turned somewhat; amount 0 is rest.
inline Pose RandomPose(const Skeleton& skeleton, uint64_t seed, double amount = 0.5) {
  Random random(seed);
  Pose pose = skeleton.RestPose();
  for (Transform& joint : pose) {
    // One by one, in the order in which g++ once took them: golden files hold poses of it.
    Eigen::Vector3f axis;
    for (const int i : {2, 1, 0}) axis[i] = static_cast<float>(random.Normal());
    const Eigen::Quaternionf turn(Eigen::AngleAxisf(static_cast<float>(amount * random.Uniform()), axis.normalized()));
    joint.rotation = ToQuaternion(ToEigen(joint.rotation) * turn);
  }
  return pose;
}

}  // namespace sinew::testing

#endif  // SINEW_TESTS_OFFLINE_BAKE_BAKING_H_
