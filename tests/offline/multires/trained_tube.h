// A tube with three joints whose truth is known by formula: small enough to train in a second.
#ifndef SINEW_TESTS_OFFLINE_MULTIRES_TRAINED_TUBE_H_
#define SINEW_TESTS_OFFLINE_MULTIRES_TRAINED_TUBE_H_

#include <cmath>

#include "sinew/offline/multires/train.h"
#include "sinew/offline/multires/training_shapes.h"
#include "tests/support/mesh_families.h"
#include "tests/support/rigs.h"
#include "tests/support/skinned_mesh.h"

namespace sinew::testing {

inline lod::Hierarchy TubeHierarchy() {
  Character tube = SkinnedMesh(Sphere(36, 28));
  for (Part& part : tube.parts) part.mesh.positions.col(1) *= 4;
  return lod::BuildHierarchy(SkinnedMesh(tube.parts[0].mesh), "tube.glb", {.points = {240, 60}, .regions = 8});
}

// What the truth adds before skinning: a broad bulge and a fine wave where the joints bend, none at rest.
inline Points TubeDisplacements(const Points& rest, const Pose& pose) {
  Points added(rest.rows(), 3);
  const float a = pose[1].rotation.x, b = pose[2].rotation.z;
  for (int v = 0; v < rest.rows(); ++v) {
    const Eigen::RowVector3f p = rest.row(v);
    const float broad = 0.3f * a * a + 0.2f * a * std::cos(p.y());
    const float fine = 0.05f * b * std::sin(9 * p.y()) + 0.04f * a * b * std::sin(8 * p.x());
    added.row(v) = (broad + fine) * Eigen::RowVector3f(p.x(), 0.2f * p.y(), p.z());
  }
  return added;
}

inline std::vector<Pose> TubePoses(const lod::Hierarchy& hierarchy, int count, uint64_t seed) {
  Random random(seed);
  std::vector<Pose> poses;
  for (int i = 0; i < count; ++i) {
    poses.push_back(RandomPose(hierarchy.levels.back().character.skeleton, random, 0.7));
  }
  return poses;
}

// The truth of a pose on the finest level's vertices.
inline Points TubeTruth(const lod::Hierarchy& hierarchy, const Pose& pose) {
  const lod::Level& finest = hierarchy.levels.back();
  const multires::LevelSkin skin(finest);
  const Points rest = skin.rest(), added = TubeDisplacements(rest, pose);
  const std::vector<Eigen::Affine3f> blend = skin.Blend(pose);
  Points truth(finest.vertex_count(), 3);
  for (int v = 0; v < finest.vertex_count(); ++v) {
    const int p = finest.point_of_vertex[v];
    truth.row(v) = blend[p] * Eigen::Vector3f((rest.row(p) + added.row(p)).transpose());
  }
  return truth;
}

// The hierarchy must outlive the frames.
inline dataset::TrainingFrames TubeFrames(const lod::Hierarchy& hierarchy, int count, uint64_t seed) {
  dataset::TrainingFrames frames;
  frames.name = "tube.dataset";
  frames.poses = TubePoses(hierarchy, count, seed);
  frames.motions.assign(count, -1);
  for (int j = 0; j < count; ++j) frames.hashes.push_back(std::string(30, 'a') + std::to_string(10 + j % 90));
  frames.truth = [&hierarchy, poses = frames.poses](int j) { return TubeTruth(hierarchy, poses[j]); };
  return frames;
}

}  // namespace sinew::testing

#endif  // SINEW_TESTS_OFFLINE_MULTIRES_TRAINED_TUBE_H_
