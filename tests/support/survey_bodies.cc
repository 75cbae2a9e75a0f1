#include "tests/support/survey_bodies.h"

#include <cmath>

#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "sinew/offline/io/npy.h"
#include "tests/support/datasets.h"
#include "tests/support/mesh_families.h"
#include "tests/support/test_character.h"

namespace sinew::testing {

Character EggOn(const EggMesh& mesh, const RigOptions& options) {
  Character character = TestCharacter(options);
  Part& part = character.parts[0];
  part.mesh = Sphere(mesh.columns, mesh.rows);
  for (int v = 0; v < part.mesh.vertex_count(); ++v) {
    // Along the sphere toward the top.
    auto point = part.mesh.positions.row(v);
    const double y = point.y(), moved = y + 0.5 * mesh.crowded * (1 - y * y);
    const double around = std::hypot(point.x(), point.z());
    const double factor = around > 1e-6 ? std::sqrt(std::max(0.0, 1 - moved * moved)) / around : 1;
    point = Eigen::RowVector3f(static_cast<float>(factor * point.x()), static_cast<float>(moved),
                               static_cast<float>(factor * point.z()));
  }
  const Eigen::RowVector3f radii(1.1f, 0.95f, 0.5f), centre(0, 0.85f, 0);
  part.mesh.positions = (part.mesh.positions.array().rowwise() * radii.array()).matrix().rowwise() + centre;
  part.mesh.positions *= static_cast<float>(options.height / 1.7);
  part.normals = Points();
  part.weights = NearestWeights(part.mesh.positions, LocalToModel(character.skeleton, character.skeleton.RestPose()));
  return character;
}

Points BumpedShape(const Character& character, const Pose& pose) {
  Points shape = SkinnedShape(character, pose);
  const Points& rest = character.parts[0].mesh.positions;
  for (Eigen::Index v = 0; v < shape.rows(); ++v) {
    shape(v, 0) += 0.03f * std::sin(3 * rest(v, 1));
    shape(v, 1) += 0.02f * std::cos(4 * rest(v, 0));
    shape(v, 2) += 0.01f * std::sin(5 * rest(v, 2) + 1);
  }
  return shape;
}

void WriteBumpedDataset(const std::filesystem::path& path, const Character& character, int frames_each, uint64_t seed,
                        const std::set<int>& failed) {
  dataset::StoredCharacter stored;
  stored.character = character;
  stored.file = gltf::EncodeGlb(character);
  const std::string hash = HashHex(stored.file);
  stored.entry = {.name = character.name,
                  .file = "characters/" + hash + ".glb",
                  .hash = hash,
                  .vertices = character.vertex_count(),
                  .joints = character.skeleton.joint_count()};
  const dataset::PoseSequence sequence = TestSequence(character.skeleton, frames_each, seed);
  dataset::DatasetWriter writer(path, dataset::StartManifest(stored, sequence, {{"maker", "test"}}),
                                {{stored.entry.file, stored.file}});
  dataset::MakeFrames(writer, sequence, {0, sequence.frame_count()}, {.label = "test"}, [&](int i) {
    dataset::FrameTruth truth;
    truth.shape = BumpedShape(character, sequence.poses[i]);
    if (failed.count(i) > 0) truth.failure = "did not converge";
    return truth;
  });
}

void WriteShapes(const std::filesystem::path& path, const std::vector<Points>& shapes) {
  std::vector<float> values;
  for (const Points& shape : shapes) values.insert(values.end(), shape.data(), shape.data() + shape.size());
  WriteNpy(path, MakeNpy(values, {static_cast<int64_t>(shapes.size()), shapes.at(0).rows(), 3}));
}

}  // namespace sinew::testing
