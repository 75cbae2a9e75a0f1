#include "tests/support/skinned_mesh.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace sinew::testing {

Character SkinnedMesh(const std::vector<TriMesh>& parts) {
  Character character;
  character.name = "mesh";
  Box box;
  for (const TriMesh& mesh : parts) {
    for (Eigen::Index v = 0; v < mesh.positions.rows(); ++v) {
      box.extend(Eigen::Vector3f(mesh.positions.row(v).transpose()));
    }
  }
  Eigen::Index axis = 0;
  const float length = box.isEmpty() ? 1 : box.sizes().maxCoeff(&axis);
  const Eigen::Vector3f start = box.isEmpty() ? Eigen::Vector3f::Zero() : box.min();
  Skin skin;
  for (int j = 0; j < 3; ++j) {
    Eigen::Vector3f step = Eigen::Vector3f::Zero();
    step[axis] = length / 2;
    Joint joint;
    joint.name = "joint" + std::to_string(j);
    joint.parent = j - 1;
    joint.rest.translation = ToFloat3(j == 0 ? start : step);
    character.skeleton.joints.push_back(joint);
    skin.inverse_bind.push_back(Eigen::Affine3f(Eigen::Translation3f(-start - static_cast<float>(j) * step)));
  }
  skin.has_joint.assign(3, true);
  character.skins.push_back(skin);
  for (const TriMesh& mesh : parts) {
    Part part;
    part.name = "part" + std::to_string(character.parts.size());
    part.mesh = mesh;
    part.skin = 0;
    part.weights.influences = 2;
    for (Eigen::Index v = 0; v < mesh.positions.rows(); ++v) {
      const float at = 2 * std::clamp((mesh.positions(v, axis) - start[axis]) / length, 0.0f, 1.0f);
      const int low = at < 1 ? 0 : 1;
      const float high_weight = at - static_cast<float>(low);
      part.weights.joints.insert(part.weights.joints.end(),
                                 {static_cast<uint16_t>(low), static_cast<uint16_t>(low + 1)});
      part.weights.weights.insert(part.weights.weights.end(), {1 - high_weight, high_weight});
    }
    character.parts.push_back(std::move(part));
  }
  return character;
}

Character SkinnedMesh(const TriMesh& mesh) { return SkinnedMesh(std::vector<TriMesh>{mesh}); }

Character WithTextureSeam(const TriMesh& mesh, const std::function<bool(const Eigen::RowVector3f&)>& beyond) {
  TriMesh split = mesh;
  std::vector<float> u;
  for (Eigen::Index v = 0; v < mesh.positions.rows(); ++v) u.push_back(0);
  std::map<int, int> copies;
  std::vector<Eigen::RowVector3f> added;
  std::vector<bool> low_side(mesh.positions.rows(), false);
  std::vector<bool> is_beyond;
  for (Eigen::Index t = 0; t < mesh.triangles.rows(); ++t) {
    const Eigen::RowVector3f middle =
        (mesh.positions.row(mesh.triangles(t, 0)) + mesh.positions.row(mesh.triangles(t, 1)) +
         mesh.positions.row(mesh.triangles(t, 2))) /
        3;
    is_beyond.push_back(beyond(middle));
    for (int k = 0; k < 3; ++k) {
      if (!is_beyond.back()) low_side[mesh.triangles(t, k)] = true;
    }
  }
  const int count = mesh.vertex_count();
  for (Eigen::Index t = 0; t < mesh.triangles.rows(); ++t) {
    if (!is_beyond[t]) continue;
    for (int k = 0; k < 3; ++k) {
      const int v = mesh.triangles(t, k);
      if (!low_side[v]) {
        u[v] = 10;
        continue;
      }
      const auto [copy, is_new] = copies.try_emplace(v, count + static_cast<int>(added.size()));
      if (is_new) added.emplace_back(mesh.positions.row(v));
      split.triangles(t, k) = copy->second;
    }
  }
  split.positions.conservativeResize(count + static_cast<Eigen::Index>(added.size()), 3);
  for (size_t i = 0; i < added.size(); ++i) {
    split.positions.row(count + static_cast<Eigen::Index>(i)) = added[i];
    u.push_back(10);
  }
  Character character = SkinnedMesh(split);
  VertexAttribute uv{.name = "TEXCOORD_0", .components = 2, .values = {}};
  for (Eigen::Index v = 0; v < split.positions.rows(); ++v) {
    uv.values.insert(uv.values.end(), {split.positions(v, 0) + u[v], split.positions(v, 1)});
  }
  character.parts[0].attributes.push_back(uv);
  return character;
}

}  // namespace sinew::testing
