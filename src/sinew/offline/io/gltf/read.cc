#include "sinew/offline/io/gltf/read.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/character/carriers.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/text.h"
#include "sinew/offline/io/gltf/animations.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "sinew/offline/io/gltf/parts.h"
#include "sinew/offline/io/gltf/skins.h"

namespace sinew::gltf {
namespace {

// Name of the joint that the file says carries this node; empty if it says nothing.
std::string GivenCarrier(const SourceDocument& document, int node) {
  const Json& json = Item(document, "nodes", node).json();
  const auto extras = json.find("extras");
  if (extras == json.end() || !extras->is_object()) return "";
  const auto carrier = extras->find(kCarrierKey);
  return carrier != extras->end() && carrier->is_string() ? carrier->get<std::string>() : "";
}

// Finds what carries joints: what the file says, or, where it says nothing about any joint, what its animations show.
void GiveCarriers(const SourceDocument& document, const std::vector<int>& joint_nodes, Character& character) {
  Skeleton& skeleton = character.skeleton;
  std::vector<int> carriers(skeleton.joints.size(), -1);
  bool given = false;
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const std::string name = GivenCarrier(document, joint_nodes[j]);
    if (name.empty()) continue;
    given = true;
    carriers[j] = skeleton.Find(name);
    if (carriers[j] >= 0) continue;
    throw InputError(document.file, fmt::format("joint \"{}\"", skeleton.joints[j].name),
                     fmt::format("\"{}\" in its extras names \"{}\", which is no joint", kCarrierKey, name),
                     "name another joint, or leave it away");
  }
  if (!given) carriers = FindCarriers(character);
  if (!CarriersLeadToRoots(skeleton, carriers)) {
    throw InputError(document.file, "skeleton", fmt::format("\"{}\" has joints carry each other", kCarrierKey),
                     "leave it away at one of them");
  }
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    skeleton.joints[j].carrier = carriers[j] == skeleton.joints[j].parent ? -1 : carriers[j];
  }
}

}  // namespace

Decoded DecodeCharacter(const SourceDocument& document, bool quiet) {
  AccessorReader accessors(document);
  const NodeTree tree = ReadNodes(document, quiet);
  Rig rig = ReadRig(accessors, tree);
  Decoded decoded;
  Character& character = decoded.character;
  if (const int scene = DefaultScene(document); scene >= 0) {
    const Object object = Item(document, "scenes", scene);
    character.name = object.String("name");
    if (object.Has("extras")) character.extras = object.json().at("extras");
  }
  if (character.name.empty()) character.name = ToUtf8(std::filesystem::path(document.file).stem().string());
  character.skeleton = rig.skeleton;
  character.skins = rig.skins;
  ReadParts(accessors, tree, rig, quiet, character);
  character.animations = ReadAnimations(accessors, rig);
  GiveCarriers(document, rig.joint_nodes, character);
  for (const Node& node : tree.nodes) {
    decoded.node_parents_world.push_back(node.parent < 0 ? Eigen::Affine3f::Identity() : tree.nodes[node.parent].world);
  }
  decoded.joint_nodes = std::move(rig.joint_nodes);
  return decoded;
}

Character ReadGltf(std::span<const std::byte> bytes, const std::string& file_name, const std::filesystem::path& folder,
                   const GltfOptions& options) {
  auto document = std::make_shared<SourceDocument>(ParseDocument(bytes, file_name, folder));
  document->skin = options.skin;
  Character character = DecodeCharacter(*document, options.quiet).character;
  character.source = std::move(document);
  return character;
}

Character ReadGltf(const std::filesystem::path& path, const GltfOptions& options) {
  const std::filesystem::path parent = path.parent_path();
  return ReadGltf(ReadFile(path), path.string(), parent.empty() ? "." : parent, options);
}

Character WithoutOtherSkeletons(Character character) {
  if (character.source == nullptr || !character.source->json.contains("nodes")) return character;
  auto document = std::make_shared<SourceDocument>(*character.source);
  const auto chosen = [&](int skin) {
    return std::any_of(character.skins.begin(), character.skins.end(),
                       [&](const Skin& own) { return own.source_skin == skin; });
  };
  for (Json& node : document->json["nodes"]) {
    if (!node.contains("mesh") || !node.contains("skin") || chosen(node["skin"])) continue;
    for (const char* key : {"mesh", "skin", "weights"}) node.erase(key);
  }
  document->skin.clear();
  character.source = std::move(document);
  return character;
}

}  // namespace sinew::gltf
