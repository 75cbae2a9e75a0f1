#include "tests/support/skin_subjects.h"

#include <fmt/format.h>

#include <algorithm>

#include "tests/support/mesh_families.h"

namespace sinew::testing {

Character OnAChain(const TriMesh& mesh, int joints) {
  Character character;
  character.name = "chain";
  const Box box = BoundingBox(mesh.positions);
  const float step = std::max(box.sizes().y(), 1e-3f * box.diagonal().norm()) / static_cast<float>(joints);
  Skin skin;
  for (int j = 0; j < joints; ++j) {
    Joint joint;
    joint.name = fmt::format("link_{}", j);
    joint.parent = j - 1;
    const Eigen::Vector3f root(box.center().x(), box.min().y() + 0.5f * step, box.center().z());
    joint.rest.translation = j == 0 ? ToFloat3(root) : runtime::Float3{0, step, 0};
    character.skeleton.joints.push_back(joint);
  }
  for (const Eigen::Affine3f& at : LocalToModel(character.skeleton, character.skeleton.RestPose())) {
    skin.inverse_bind.push_back(at.inverse());
    skin.has_joint.push_back(true);
  }
  character.skins.push_back(skin);
  Part part;
  part.name = "skin";
  part.mesh = mesh;
  part.skin = 0;
  part.weights = {.influences = 1, .joints = {}, .weights = {}};
  part.weights.joints.assign(mesh.vertex_count(), 0);
  part.weights.weights.assign(mesh.vertex_count(), 1);
  character.parts.push_back(part);
  return character;
}

TriMesh Sausage(int around, int rings) {
  TriMesh mesh = Sphere(around, rings);
  const Points sphere = mesh.positions;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    mesh.positions.row(v) << 0.25f * sphere(v, 0), sphere(v, 2), 0.25f * sphere(v, 1);
  }
  mesh.triangles.col(1).swap(mesh.triangles.col(2));
  return mesh;
}

}  // namespace sinew::testing
