#include "sinew/offline/io/gltf/read.h"

#include <algorithm>

#include "sinew/offline/core/json.h"
#include "sinew/offline/core/text.h"
#include "sinew/offline/io/gltf/animations.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "sinew/offline/io/gltf/parts.h"
#include "sinew/offline/io/gltf/skins.h"

namespace sinew::gltf {

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
