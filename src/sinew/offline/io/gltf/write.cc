#include "sinew/offline/io/gltf/write.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/io/gltf/document.h"
#include "sinew/offline/io/gltf/gltf.h"

namespace sinew::gltf {

int WriteContext::Append(const char* list, Json item) {
  json()[list].push_back(std::move(item));
  return static_cast<int>(json()[list].size()) - 1;
}

Json& WriteContext::scene() { return json()["scenes"][json()["scene"].get<size_t>()]; }

namespace {

constexpr size_t kHashDigits = 16;

void PrepareScene(WriteContext& context) {
  Json& json = context.json();
  if (!json.contains("asset")) {
    json["asset"] = {{"version", "2.0"}, {"generator", std::string("Sinew ") + SINEW_VERSION}};
  }
  if (!json.contains("scenes") || json["scenes"].empty()) {
    json["scenes"] = Json::array({Json::object()});
    json["scene"] = 0;
    // Without a scene all nodes are shown: the new scene gets all roots.
    std::vector<bool> is_child(json.contains("nodes") ? json["nodes"].size() : 0, false);
    for (size_t n = 0; n < is_child.size(); ++n) {
      const Json& node = json["nodes"][n];
      if (!node.contains("children")) continue;
      for (const Json& child : node["children"]) is_child[child.get<size_t>()] = true;
    }
    for (size_t n = 0; n < is_child.size(); ++n) {
      if (!is_child[n]) json["scenes"][0]["nodes"].push_back(n);
    }
  }
  if (!json.contains("scene")) json["scene"] = 0;
}

void WriteScene(WriteContext& context) {
  const Character& character = context.character;
  Json& scene = context.scene();
  if (character.name != context.original.character.name && !character.name.empty()) scene["name"] = character.name;
  if (!(character.extras == context.original.character.extras)) {
    if ((*character.extras).is_null()) {
      scene.erase("extras");
    } else {
      scene["extras"] = *character.extras;
    }
  }
}

// "name" before the rest, and asset before everything, as people expect to read it.
Json Ordered(Json json) {
  static constexpr const char* kOrder[] = {"asset", "scene", "scenes", "nodes", "meshes", "skins", "animations"};
  Json ordered = Json::object();
  for (const char* key : kOrder) {
    if (json.contains(key)) ordered[key] = std::move(json[key]);
  }
  for (auto& [key, value] : json.items()) {
    if (!ordered.contains(key)) ordered[key] = std::move(value);
  }
  return ordered;
}

Packed Pack(const Character& character) {
  const SourceDocument* source = character.source.get();
  WriteContext context{.character = character,
                       .original = source == nullptr ? Decoded{} : DecodeCharacter(*source, true),
                       .packer = Packer(source),
                       .joint_nodes = {},
                       .document_skins = {},
                       .skin_joints = {},
                       .renumbered = {}};
  const bool fresh = !context.json().contains("asset");
  PrepareScene(context);
  WriteJoints(context);
  WriteSkins(context);
  WriteParts(context);
  WriteAnimations(context);
  WriteScene(context);
  Packed packed = context.packer.Finish();
  if (fresh) packed.json = Ordered(std::move(packed.json));
  return packed;
}

void AppendWord(Bytes& bytes, size_t value) {
  const auto word = static_cast<uint32_t>(value);
  bytes.resize(bytes.size() + sizeof word);
  std::memcpy(bytes.data() + bytes.size() - sizeof word, &word, sizeof word);
}

// Returns the name of the file with the numbers of a .gltf, which contains a hash of the content: other content goes to
// another file, so that neither a kill between the two writes nor a full disk can put old text and new numbers
// together.
std::string BinaryName(const std::filesystem::path& path, const Bytes& binary) {
  return fmt::format("{}.{}.bin", path.stem().string(), HashHex(binary).substr(0, kHashDigits));
}

// Removes the files that earlier writes of `path` left: those named as BinaryName() names them, other than `current`.
void RemoveOldBinaries(const std::filesystem::path& path, const std::filesystem::path& current) {
  const std::string prefix = path.stem().string() + ".", suffix = ".bin";
  const auto is_old = [&](const std::string& name) {
    if (name.size() != prefix.size() + kHashDigits + suffix.size()) return false;
    const std::string hash = name.substr(prefix.size(), kHashDigits);
    return name.starts_with(prefix) && name.ends_with(suffix) && name != current.filename() &&
           hash.find_first_not_of("0123456789abcdef") == std::string::npos;
  };
  std::error_code ignored;
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  std::vector<std::filesystem::path> old;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (is_old(entry.path().filename().string())) old.push_back(entry.path());
  }
  for (const auto& file : old) std::filesystem::remove(file, ignored);
}

}  // namespace

Bytes EncodeGlb(const Character& character) {
  Packed packed = Pack(character);
  std::string text = JsonText(packed.json);
  text.resize((text.size() + 3) / 4 * 4, ' ');
  packed.binary.resize((packed.binary.size() + 3) / 4 * 4);
  const size_t size = 20 + text.size() + (packed.binary.empty() ? 0 : 8 + packed.binary.size());
  if (size > std::numeric_limits<uint32_t>::max()) {
    throw FailedError("a .glb cannot hold more than 4 GB; write a .gltf instead");
  }
  Bytes bytes;
  bytes.reserve(size);
  AppendWord(bytes, 0x46546c67);  // "glTF"
  AppendWord(bytes, 2);
  AppendWord(bytes, size);
  AppendWord(bytes, text.size());
  AppendWord(bytes, 0x4e4f534a);  // "JSON"
  const auto json = std::as_bytes(std::span(text));
  bytes.insert(bytes.end(), json.begin(), json.end());
  if (packed.binary.empty()) return bytes;
  AppendWord(bytes, packed.binary.size());
  AppendWord(bytes, 0x004e4942);  // "BIN"
  bytes.insert(bytes.end(), packed.binary.begin(), packed.binary.end());
  return bytes;
}

void WriteGltf(const Character& character, const std::filesystem::path& path) {
  if (LowerExtension(path) == ".glb") return WriteFileAtomic(path, EncodeGlb(character));
  Packed packed = Pack(character);
  std::filesystem::path binary;
  if (!packed.binary.empty()) {
    binary = path.parent_path() / BinaryName(path, packed.binary);
    packed.json["buffers"][0]["uri"] = EncodeUri(binary.filename().string());
    WriteFileAtomic(binary, packed.binary);
  }
  // From this write on the new pair of files counts; until then the old file finds the old numbers.
  WriteFileAtomic(path, JsonText(packed.json, 1) + "\n");
  RemoveOldBinaries(path, binary);
}

}  // namespace sinew::gltf
