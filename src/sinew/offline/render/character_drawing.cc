#include "sinew/offline/render/character_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sinew/offline/core/error.h"
#include "sinew/offline/render/materials.h"

namespace sinew::render {
namespace {

std::string JointNames(const Skeleton& skeleton) {
  std::string names;
  for (const Joint& joint : skeleton.joints) names += (names.empty() ? "" : ", ") + joint.name;
  return names.empty() ? "it has none" : "it has " + names;
}

TexturePositions TextureSet(const Part& part, int set) {
  const std::string name = fmt::format("TEXCOORD_{}", set);
  for (const VertexAttribute& attribute : part.attributes) {
    if (attribute.name != name || attribute.components != 2) continue;
    return Eigen::Map<const TexturePositions>(attribute.values.data(), part.mesh.vertex_count(), 2);
  }
  return {};
}

Points WeightColors(const Part& part) {
  const SkinWeights& weights = part.weights;
  Points colors = Points::Constant(part.mesh.vertex_count(), 3, 0.5f);
  if (weights.empty()) return colors;
  for (int v = 0; v < part.mesh.vertex_count(); ++v) {
    Color sum = Color::Zero();
    for (int k = 0; k < weights.influences; ++k) {
      const size_t at = static_cast<size_t>(v) * weights.influences + k;
      sum += weights.weights[at] * JointColor(weights.joints[at]);
    }
    colors.row(v) = sum.transpose();
  }
  return colors;
}

std::vector<float> JointWeights(const Part& part, int joint) {
  const SkinWeights& weights = part.weights;
  std::vector<float> values(part.mesh.vertex_count(), 0.0f);
  for (size_t at = 0; at < weights.weights.size(); ++at) {
    if (weights.joints[at] == joint) values[at / weights.influences] += weights.weights[at];
  }
  return values;
}

// Returns the mesh of a part with everything that is the same in every pose.
RenderMesh Prototype(const Part& part, const std::vector<Material>& materials, const DrawingOptions& options,
                     int weight_joint) {
  RenderMesh mesh;
  mesh.mesh.triangles = part.mesh.triangles;
  mesh.backfaces = options.backfaces;
  if (mesh.backfaces == Backfaces::kAuto && !IsClosed(part.mesh)) mesh.backfaces = Backfaces::kPlain;
  if (weight_joint >= 0) mesh.scalars = JointWeights(part, weight_joint);
  if (options.weights) mesh.colors = WeightColors(part);
  if (part.material < 0 || part.material >= static_cast<int>(materials.size())) return mesh;
  const Material& material = materials[part.material];
  if (material.double_sided && mesh.backfaces == Backfaces::kAuto) mesh.backfaces = Backfaces::kPlain;
  if (options.weights || !options.textures) return mesh;
  mesh.transparency = material.transparency;
  mesh.alpha = material.alpha;
  mesh.alpha_cutoff = material.alpha_cutoff;
  if (material.texture == nullptr) {
    if (material.has_factor) mesh.colors = material.factor.transpose().replicate(part.mesh.vertex_count(), 1);
    return mesh;
  }
  mesh.texture = material.texture;
  mesh.texture_factor = material.factor;
  mesh.texture_positions = TextureSet(part, material.texture_set);
  if (mesh.texture_positions.rows() > 0) {
    const Eigen::Affine2f& transform = material.image_from_texture;
    mesh.texture_positions = (mesh.texture_positions * transform.linear().transpose()).eval().rowwise() +
                             transform.translation().transpose();
  }
  return mesh;
}

}  // namespace

struct CharacterDrawing::State {
  const Character& character;
  DrawingOptions options;
  Poser poser;
  std::vector<RenderMesh> prototypes;

  PosedCharacter Posed(const Pose& pose, const MorphedRest& morphed) const {
    if (morphed.empty()) return poser.Evaluate(pose);
    Character moved = character;
    for (size_t p = 0; p < moved.parts.size(); ++p) moved.parts[p].mesh.positions = morphed[p];
    return PoseCharacter(moved, pose, {.method = options.method, .dynamic_normals = true});
  }
};

CharacterDrawing::CharacterDrawing(const Character& character, const DrawingOptions& options)
    : state_(new State{character, options, Poser(character, {.method = options.method}), {}}) {
  const bool weighted = std::any_of(character.parts.begin(), character.parts.end(),
                                    [](const Part& part) { return !part.weights.empty(); });
  if ((options.weights || !options.weight_joint.empty()) && !weighted) {
    throw UsageError(fmt::format("'{}' has no weights to show", character.name));
  }
  const int joint = options.weight_joint.empty() ? -1 : character.skeleton.Find(options.weight_joint);
  if (!options.weight_joint.empty() && joint < 0) {
    throw UsageError(fmt::format("'{}' has no joint '{}'; {}", character.name, options.weight_joint,
                                 JointNames(character.skeleton)));
  }
  const std::vector<Material> materials = options.textures ? ReadMaterials(character) : std::vector<Material>{};
  for (const Part& part : character.parts) state_->prototypes.push_back(Prototype(part, materials, options, joint));
}

CharacterDrawing::~CharacterDrawing() = default;
CharacterDrawing::CharacterDrawing(CharacterDrawing&&) noexcept = default;

Scene CharacterDrawing::At(const Pose& pose, const std::vector<float>& heat, const MorphedRest& morphed) const {
  const State& s = *state_;
  PosedCharacter posed = s.Posed(pose, morphed);
  Scene scene;
  size_t first = 0;
  for (size_t i = 0; i < posed.parts.size(); ++i) {
    RenderMesh mesh = s.prototypes[i];
    mesh.mesh.positions = std::move(posed.parts[i].positions);
    mesh.normals = std::move(posed.parts[i].normals);
    const size_t end = first + mesh.mesh.positions.rows();
    if (!heat.empty()) mesh.scalars.assign(heat.begin() + first, heat.begin() + end);
    first = end;
    scene.meshes.push_back(std::move(mesh));
  }
  if (s.options.skeleton) scene.bones = SkeletonBones(s.character.skeleton, pose, s.options.weights);
  return scene;
}

Points CharacterDrawing::PositionsAt(const Pose& pose, const MorphedRest& morphed) const {
  const PosedCharacter posed = state_->Posed(pose, morphed);
  Points all(state_->character.vertex_count(), 3);
  Eigen::Index next = 0;
  for (const PosedPart& part : posed.parts) {
    all.middleRows(next, part.positions.rows()) = part.positions;
    next += part.positions.rows();
  }
  return all;
}

Bones SkeletonBones(const Skeleton& skeleton, const Pose& pose, bool joint_colors) {
  const std::vector<Eigen::Affine3f> model = LocalToModel(skeleton, pose);
  const bool all = std::all_of(skeleton.joints.begin(), skeleton.joints.end(), [](const Joint& j) { return j.helper; });
  std::vector<int> drawn_as(skeleton.joints.size(), -1);  // index of its bone, or of the nearest drawn ancestor's
  std::vector<int> drawn;
  Bones bones;
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const int parent = skeleton.joints[j].parent < 0 ? -1 : drawn_as[skeleton.joints[j].parent];
    drawn_as[j] = parent;
    if (skeleton.joints[j].helper && !all) continue;
    drawn_as[j] = static_cast<int>(drawn.size());
    drawn.push_back(j);
    bones.parents.push_back(parent);
  }
  const auto count = static_cast<Eigen::Index>(drawn.size());
  bones.joints.resize(count, 3);
  bones.colors.resize(joint_colors ? count : 0, 3);
  for (Eigen::Index i = 0; i < count; ++i) {
    bones.joints.row(i) = model[drawn[i]].translation().transpose();
    // Lighter than the surface around the bone, which has the joint's own colour.
    if (joint_colors) bones.colors.row(i) = (0.5f * JointColor(drawn[i]) + Color::Constant(0.45f)).transpose();
  }
  return bones;
}

}  // namespace sinew::render
