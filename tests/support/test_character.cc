#include "tests/support/test_character.h"

#include <algorithm>
#include <utility>

#include "tests/support/mesh_families.h"

namespace sinew::testing {

SkinWeights NearestWeights(const Points& points, const std::vector<Eigen::Affine3f>& joints) {
  SkinWeights weights{.influences = 2, .joints = {}, .weights = {}};
  for (int v = 0; v < points.rows(); ++v) {
    std::vector<std::pair<float, uint16_t>> near;
    for (size_t j = 0; j < joints.size(); ++j) {
      near.emplace_back((joints[j].translation() - points.row(v).transpose()).norm(), static_cast<uint16_t>(j));
    }
    std::partial_sort(near.begin(), near.begin() + 2, near.end());
    const float first = near[1].first / (near[0].first + near[1].first);
    for (int k = 0; k < 2; ++k) {
      weights.joints.push_back(near[k].second);
      weights.weights.push_back(k == 0 ? first : 1 - first);
    }
  }
  return weights;
}

Character TestCharacter(const RigOptions& options) {
  Character character;
  character.name = "egg";
  character.skeleton = MakeRig(options);
  const auto joints = LocalToModel(character.skeleton, character.skeleton.RestPose());
  character.skins.push_back(BoundAt(joints));
  Part part;
  part.name = "skin";
  part.mesh = Sphere(32, 16);
  const Eigen::RowVector3f radii(1.1f, 0.95f, 0.5f), centre(0, 0.85f, 0);
  part.mesh.positions = (part.mesh.positions.array().rowwise() * radii.array()).matrix().rowwise() + centre;
  part.mesh.positions *= static_cast<float>(options.height / 1.7);
  if (options.z_up) {
    const Points y_up = part.mesh.positions;
    part.mesh.positions.col(1) = -y_up.col(2);
    part.mesh.positions.col(2) = y_up.col(1);
  }
  part.normals = VertexNormals(part.mesh);
  part.weights = NearestWeights(part.mesh.positions, joints);
  part.skin = 0;
  character.parts.push_back(std::move(part));
  return character;
}

}  // namespace sinew::testing
