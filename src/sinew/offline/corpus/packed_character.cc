#include "sinew/offline/corpus/packed_character.h"

#include "sinew/offline/character/skinned_shape.h"

namespace sinew::corpus {

Character CharacterOf(const PackedBody& body) {
  Character character;
  character.name = body.name;
  character.skeleton = body.skeleton;
  Skin skin;
  skin.name = body.name;
  skin.inverse_bind = body.inverse_bind;
  skin.has_joint.assign(body.inverse_bind.size(), true);
  character.skins.push_back(std::move(skin));
  Part part;
  part.name = body.name;
  part.mesh = {body.rest, body.triangles};
  part.weights = body.weights;
  part.skin = 0;
  character.parts.push_back(std::move(part));
  return character;
}

Points TrueShape(const PackedBody& body, int f) {
  std::vector<Eigen::Affine3f> maps = LocalToModel(body.skeleton, body.poses[f]);
  for (size_t j = 0; j < maps.size(); ++j) maps[j] = maps[j] * body.inverse_bind[j];
  const Points rest = body.rest + body.Residual(f);
  Points shape(rest.rows(), 3);
  for (int i = 0; i < body.point_count(); ++i) {
    Eigen::Vector3f sum = Eigen::Vector3f::Zero();
    for (int k = 0; k < kPackedInfluences; ++k) {
      const size_t at = static_cast<size_t>(i) * kPackedInfluences + static_cast<size_t>(k);
      if (body.weights.weights[at] == 0) continue;
      sum += body.weights.weights[at] * (maps[body.weights.joints[at]] * rest.row(i).transpose());
    }
    shape.row(i) = sum.transpose();
  }
  return shape;
}

}  // namespace sinew::corpus
