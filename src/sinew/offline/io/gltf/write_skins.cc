#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/io/gltf/same.h"
#include "sinew/offline/io/gltf/write.h"

namespace sinew::gltf {
namespace {

// Returns what the skin was when it was read; null if it is new.
const Skin* FindOriginal(const WriteContext& context, const Skin& skin) {
  if (skin.source_skin < 0) return nullptr;
  for (const Skin& original : context.original.character.skins) {
    if (original.source_skin == skin.source_skin) return &original;
  }
  return nullptr;
}

// Whether the skin has the same joints at the same nodes, so that the joint numbers in the document are still right.
bool SameJoints(const WriteContext& context, const Skin& skin, const Skin& original) {
  return skin.has_joint == original.has_joint && context.joint_nodes == context.original.joint_nodes;
}

std::vector<int> NumbersFromDocument(WriteContext& context, int document_skin) {
  std::vector<int> joint_of_node(context.json()["nodes"].size(), -1);
  for (size_t j = 0; j < context.joint_nodes.size(); ++j) joint_of_node[context.joint_nodes[j]] = static_cast<int>(j);
  std::vector<int> numbers(context.joint_nodes.size(), -1);
  const Json& joints = context.json()["skins"][document_skin]["joints"];
  for (size_t i = 0; i < joints.size(); ++i) numbers[joint_of_node[joints[i].get<size_t>()]] = static_cast<int>(i);
  return numbers;
}

std::vector<int> NumbersInOrder(const Skin& skin) {
  std::vector<int> numbers(skin.has_joint.size(), -1);
  int next = 0;
  for (size_t j = 0; j < numbers.size(); ++j) {
    if (skin.has_joint[j]) numbers[j] = next++;
  }
  return numbers;
}

void WriteInverseBinds(WriteContext& context, const Skin& skin, const std::vector<int>& numbers, Json& json) {
  std::vector<float> values(16 * json["joints"].size(), 0.0f);
  for (size_t j = 0; j < numbers.size(); ++j) {
    if (numbers[j] < 0) continue;
    Eigen::Map<Eigen::Matrix4f>(values.data() + 16 * numbers[j]) = skin.inverse_bind[j].matrix();
  }
  json["inverseBindMatrices"] = context.packer.AddFloats(values, 16, kNoTarget, false,
                                                         fmt::format("skin '{}', inverse bind matrices", skin.name));
}

// Writes the joints and matrices of a skin's entry anew; other keys of an existing entry, except 'skeleton', are kept.
void FillSkin(WriteContext& context, const Skin& skin, const std::vector<int>& numbers, Json& json) {
  Json joints = Json::array();
  for (size_t j = 0; j < numbers.size(); ++j) {
    if (numbers[j] >= 0) joints.push_back(context.joint_nodes[j]);
  }
  json["joints"] = std::move(joints);
  json.erase("skeleton");
  WriteInverseBinds(context, skin, numbers, json);
}

bool IsUsable(const Skin& skin) {
  for (const bool has : skin.has_joint) {
    if (has) return true;
  }
  return false;
}

void WriteSkin(WriteContext& context, const Skin& skin) {
  const Skin* original = FindOriginal(context, skin);
  if (original != nullptr && SameJoints(context, skin, *original)) {
    std::vector<int> numbers = NumbersFromDocument(context, skin.source_skin);
    Json& json = context.json()["skins"][skin.source_skin];
    if (skin.name != original->name) json["name"] = skin.name;
    if (!Same(skin, *original)) WriteInverseBinds(context, skin, numbers, json);
    context.document_skins.push_back(skin.source_skin);
    context.skin_joints.push_back(std::move(numbers));
    context.renumbered.push_back(false);
    return;
  }
  std::vector<int> numbers = NumbersInOrder(skin);
  int index = original != nullptr ? skin.source_skin : -1;
  if (index < 0 && IsUsable(skin)) {
    index = context.Append("skins", Json::object());
    if (!skin.name.empty()) context.json()["skins"][index]["name"] = skin.name;
  }
  if (index >= 0) FillSkin(context, skin, numbers, context.json()["skins"][index]);
  context.document_skins.push_back(index);
  context.skin_joints.push_back(std::move(numbers));
  context.renumbered.push_back(true);
}

// Whether the file needs no skin for the rigid parts of a skin: it is unchanged, so that their node stays where it
// hangs, or all of them are new and get a node below the joint.
bool StaysAttached(const WriteContext& context, int s) {
  const auto& skins = context.original.character.skins;
  const Skin& skin = context.character.skins[s];
  if (!skin.attached) return false;
  if (context.joint_nodes == context.original.joint_nodes && s < static_cast<int>(skins.size()) &&
      Same(skin, skins[s])) {
    return true;
  }
  const auto& parts = context.character.parts;
  const bool known = std::any_of(parts.begin(), parts.end(), [&](const Part& part) {
    return part.skin == s && part.source_node >= 0 && context.character.source != nullptr;
  });
  return !known && std::count(skin.has_joint.begin(), skin.has_joint.end(), true) == 1;
}

// Returns a skin with all joints of a skeleton that has none: readers know joints only from skins.
Skin BareSkin(const Skeleton& skeleton) {
  Skin skin;
  skin.name = "skeleton";
  const std::vector<Eigen::Affine3f> model = LocalToModel(skeleton, skeleton.RestPose());
  for (const Eigen::Affine3f& affine : model) skin.inverse_bind.push_back(affine.inverse());
  skin.has_joint.assign(model.size(), true);
  return skin;
}

}  // namespace

void WriteSkins(WriteContext& context) {
  const Character& character = context.character;
  for (int s = 0; s < static_cast<int>(character.skins.size()); ++s) {
    if (StaysAttached(context, s)) {
      context.document_skins.push_back(-1);
      context.skin_joints.emplace_back();
      context.renumbered.push_back(false);
    } else {
      WriteSkin(context, character.skins[s]);
    }
  }
  const bool is_new = context.original.joint_nodes.empty();
  const bool any =
      std::any_of(context.document_skins.begin(), context.document_skins.end(), [](int s) { return s >= 0; });
  if (!any && is_new && character.skeleton.joint_count() > 0) {
    Json json = {{"name", "skeleton"}};
    const Skin bare = BareSkin(character.skeleton);
    FillSkin(context, bare, NumbersInOrder(bare), json);
    context.Append("skins", std::move(json));
  }
}

}  // namespace sinew::gltf
