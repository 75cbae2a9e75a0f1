#include "tests/support/random_character.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sinew/offline/core/json.h"

namespace sinew::testing {
namespace {

float RandomFloat(Random& random) { return static_cast<float>(random.Uniform(-2, 2)); }

runtime::Quaternion RandomRotation(Random& random) {
  Eigen::Vector4d q;
  for (int k = 0; k < 4; ++k) q[k] = random.Normal();
  const Eigen::Vector4f unit = q.normalized().cast<float>();
  return {unit[0], unit[1], unit[2], unit[3]};
}

Points RandomPoints(int count, Random& random) {
  Points points(count, 3);
  for (Eigen::Index i = 0; i < points.size(); ++i) points.data()[i] = RandomFloat(random);
  return points;
}

Skeleton RandomSkeleton(int joints, Random& random) {
  Skeleton skeleton;
  for (int j = 0; j < joints; ++j) {
    Joint joint;
    joint.name = fmt::format("joint{}", j);
    // Several roots now and then.
    joint.parent = j == 0 || random.Below(10) == 0 ? -1 : static_cast<int>(random.Below(j));
    joint.rest.translation = {RandomFloat(random), RandomFloat(random), RandomFloat(random)};
    joint.rest.rotation = RandomRotation(random);
    if (random.Below(3) == 0) joint.rest.scale = {1.5f, 1.5f, 1.5f};
    skeleton.joints.push_back(joint);
  }
  return skeleton;
}

Part RandomPart(const std::string& name, int joints, int skin, Random& random) {
  Part part;
  part.name = name;
  const int vertices = 3 + static_cast<int>(random.Below(60));
  part.mesh.positions = RandomPoints(vertices, random);
  part.mesh.triangles.resize(1 + random.Below(80), 3);
  for (Eigen::Index i = 0; i < part.mesh.triangles.size(); ++i) {
    part.mesh.triangles.data()[i] = static_cast<int>(random.Below(vertices));
  }
  if (random.Below(2) == 0) {
    part.normals = RandomPoints(vertices, random);
    part.normals.rowwise().normalize();
    if (random.Below(2) == 0) {
      part.tangents.resize(vertices, 4);
      part.tangents.leftCols<3>() = part.normals;
      for (int v = 0; v < vertices; ++v) part.tangents(v, 3) = random.Below(2) == 0 ? 1.0f : -1.0f;
    }
  }
  VertexAttribute uv{.name = "TEXCOORD_0", .components = 2, .component_type = 5126, .normalized = false, .values = {}};
  for (int i = 0; i < 2 * vertices; ++i) uv.values.push_back(RandomFloat(random));
  VertexAttribute color{.name = "COLOR_0", .components = 4, .component_type = 5121, .normalized = true, .values = {}};
  for (int i = 0; i < 4 * vertices; ++i) color.values.push_back(static_cast<float>(random.Below(256)) / 255.0f);
  if (random.Below(2) == 0) part.attributes.push_back(uv);
  if (random.Below(2) == 0) part.attributes.push_back(color);
  for (uint32_t m = random.Below(3); m > 0; --m) {
    MorphTarget morph;
    morph.name = fmt::format("shape{}", m);
    morph.positions = RandomPoints(vertices, random);
    part.morphs.push_back(std::move(morph));
  }
  part.skin = skin;
  if (skin >= 0) part.weights = RandomWeights(vertices, joints, random);
  if (skin < 0) part.model_from_mesh.translation() = Eigen::Vector3f(RandomFloat(random), 1, 2);
  return part;
}

}  // namespace

SkinWeights RandomWeights(int vertices, int joints, Random& random) {
  SkinWeights weights;
  const int influences = 1 + static_cast<int>(random.Below(std::min(kMaxInfluences, joints)));
  weights.influences = influences;
  for (int v = 0; v < vertices; ++v) {
    // The first vertex uses every slot, so that the reader finds as many.
    const int used = v == 0 ? influences : 1 + static_cast<int>(random.Below(influences));
    const int first = static_cast<int>(random.Below(joints));
    float left = 1;
    for (int k = 0; k < influences; ++k) {
      // Halves: strongest first, and sums to exactly 1.
      const float weight = k >= used ? 0 : k == used - 1 ? left : left * 0.625f;
      weights.joints.push_back(static_cast<uint16_t>(k >= used ? 0 : (first + k) % joints));
      weights.weights.push_back(weight);
      left -= weight;
    }
  }
  return weights;
}

Animation RandomAnimation(const std::string& name, int joints, Random& random) {
  using Interpolation = AnimationCurve::Interpolation;
  Animation animation;
  animation.name = name;
  const int first = static_cast<int>(random.Below(joints));
  for (int j = first; j < joints; ++j) {
    AnimationCurve curve;
    curve.joint = j;
    curve.path = static_cast<AnimationCurve::Path>(random.Below(3));
    curve.interpolation = static_cast<Interpolation>(random.Below(3));
    const bool rotation = curve.path == AnimationCurve::Path::kRotation;
    const int keys = 2 + static_cast<int>(random.Below(6));
    const int values = keys * (curve.interpolation == Interpolation::kCubicSpline ? 3 : 1);
    for (int k = 0; k < keys; ++k) curve.times.push_back(0.25f * static_cast<float>(k + 1));
    for (int k = 0; k < values; ++k) {
      const runtime::Quaternion q = RandomRotation(random);
      curve.values.insert(curve.values.end(), {q.x, q.y, q.z});
      if (rotation) curve.values.push_back(q.w);
    }
    animation.curves.push_back(std::move(curve));
  }
  return animation;
}

Character RandomCharacter(uint64_t seed) {
  Random random(seed);
  Character character;
  character.name = "random";
  const int joints = 1 + static_cast<int>(random.Below(random.Below(8) == 0 ? 300 : 12));
  character.skeleton = RandomSkeleton(joints, random);
  Skin skin;
  skin.name = "skin";
  for (int j = 0; j < joints; ++j) {
    Eigen::Affine3f bind = Eigen::Affine3f::Identity();
    bind.translate(Eigen::Vector3f{RandomFloat(random), RandomFloat(random), RandomFloat(random)});
    bind.rotate(ToEigen(RandomRotation(random)));
    skin.inverse_bind.push_back(bind);
    skin.has_joint.push_back(true);
  }
  character.skins.push_back(std::move(skin));
  const int parts = 1 + static_cast<int>(random.Below(3));
  for (int p = 0; p < parts; ++p) {
    const int skin_index = p > 0 && random.Below(3) == 0 ? -1 : 0;
    character.parts.push_back(RandomPart(fmt::format("part{}", p), joints, skin_index, random));
  }
  for (uint32_t a = random.Below(3); a > 0; --a) {
    character.animations.push_back(RandomAnimation(fmt::format("motion{}", a), joints, random));
  }
  character.extras = Json{{"sinew", {{"seed", seed}}}};
  return character;
}

}  // namespace sinew::testing
