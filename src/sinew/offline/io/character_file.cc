#include "sinew/offline/io/character_file.h"

#include <fmt/format.h>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/io/obj.h"
#include "sinew/offline/io/ply.h"

namespace sinew {

namespace {

enum class Type { kGltf, kObj, kPly, kOther };

Type TypeOf(const std::filesystem::path& path, const Bytes& bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::string extension = LowerExtension(path);
  if (text.starts_with("glTF") || extension == ".glb" || extension == ".gltf") return Type::kGltf;
  if (extension == ".ply") return Type::kPly;
  return extension == ".obj" ? Type::kObj : Type::kOther;
}

}  // namespace

bool IsCharacterFile(const std::filesystem::path& path) {
  const std::string extension = LowerExtension(path);
  if (extension == ".glb" || extension == ".gltf" || extension == ".obj" || extension == ".ply") return true;
  return TypeOf(path, ReadFile(path)) != Type::kOther;
}

Character ReadCharacter(const std::filesystem::path& path, const gltf::GltfOptions& options) {
  const Bytes bytes = ReadFile(path);
  switch (TypeOf(path, bytes)) {
    case Type::kGltf:
      return gltf::ReadGltf(bytes, path.string(), path.has_parent_path() ? path.parent_path() : ".", options);
    case Type::kObj:
      return ReadObj(bytes, path.string());
    case Type::kPly:
      return PlyCharacter(ParsePly(bytes, path.string()), path.string());
    case Type::kOther:
      break;
  }
  const std::string extension = LowerExtension(path);
  const bool motion = extension == ".bvh" || extension == ".npy";
  throw InputError(path.string(), "",
                   fmt::format("is not a character: '{}' is none of .glb, .gltf, .obj, .ply", extension),
                   motion ? "'sinew convert' makes a .glb of it" : "export it as glTF 2.0 (.glb)");
}

void WriteCharacter(const Character& character, const std::filesystem::path& path) {
  const std::string extension = LowerExtension(path);
  if (extension == ".glb" || extension == ".gltf") return gltf::WriteGltf(character, path);
  if (extension == ".obj") return WriteObj(character, path);
  throw UsageError(
      fmt::format("{}: a character is written as .glb, .gltf or .obj, not '{}'", path.string(), extension));
}

}  // namespace sinew
