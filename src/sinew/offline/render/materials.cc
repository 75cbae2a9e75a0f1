#include "sinew/offline/render/materials.h"

#include <map>
#include <optional>
#include <string>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/io/base64.h"
#include "sinew/offline/io/gltf_document.h"

namespace sinew::render {
namespace {

using gltf::Item;
using gltf::Object;

Bytes BufferViewBytes(const SourceDocument& document, int view_index) {
  const Object view = Item(document, "bufferViews", view_index);
  const int buffer = view.Index("buffer", "buffers");
  if (buffer < 0) view.Fail("it names no buffer");
  const Bytes& bytes = document.buffers.at(buffer);
  const auto size = static_cast<int64_t>(bytes.size());
  const int64_t offset = view.Integer("byteOffset", 0, 0, size);
  const int64_t length = view.RequiredInteger("byteLength", 0, size - offset);
  return Bytes(bytes.begin() + offset, bytes.begin() + offset + length);
}

Bytes ImageBytes(const SourceDocument& document, const Object& image, int index) {
  const auto file = document.images.find(index);
  if (file != document.images.end()) return file->second;
  if (image.Has("bufferView")) return BufferViewBytes(document, image.Index("bufferView", "bufferViews"));
  const std::string uri = image.String("uri");
  const size_t comma = uri.find(";base64,");
  std::optional<Bytes> decoded;
  if (comma != std::string::npos) decoded = DecodeBase64(std::string_view(uri).substr(comma + 8));
  if (!decoded) image.Fail("its bytes are not there", "put the image beside the file, or render with --no-textures");
  return *decoded;
}

class MaterialReader {
 public:
  explicit MaterialReader(const SourceDocument& document) : document_(document) {}

  Material Read(int index) {
    const Object object = Item(document_, "materials", index);
    Material material;
    material.double_sided = object.Bool("doubleSided");
    if (!object.Has("pbrMetallicRoughness")) return material;
    const Object surface = object.Child("pbrMetallicRoughness");
    const std::vector<float> factor = surface.Floats("baseColorFactor", 4);
    if (!factor.empty()) material.factor = Color(factor[0], factor[1], factor[2]).cwiseMax(0).cwiseMin(1);
    if (!surface.Has("baseColorTexture")) return material;
    const Object reference = surface.Child("baseColorTexture");
    material.texture_set = static_cast<int>(reference.Integer("texCoord", 0, 0, 7));
    const int texture = reference.Index("index", "textures");
    if (texture < 0) return material;
    const int source = Item(document_, "textures", texture).Index("source", "images");
    if (source >= 0) material.texture = Texture(source);
    return material;
  }

 private:
  std::shared_ptr<const Image> Texture(int index) {
    const auto [entry, fresh] = textures_.try_emplace(index);
    if (!fresh) return entry->second;
    const Object image = Item(document_, "images", index);
    try {
      entry->second = std::make_shared<const Image>(
          DecodeImage(ImageBytes(document_, image, index), document_.file, image.place()));
    } catch (const InputError& error) {
      Warn("{}; drawn without that texture", error.what());
    }
    return entry->second;
  }

  const SourceDocument& document_;
  std::map<int, std::shared_ptr<const Image>> textures_;
};

}  // namespace

std::vector<Material> ReadMaterials(const Character& character) {
  std::vector<Material> materials;
  if (character.source == nullptr) return materials;
  MaterialReader reader(*character.source);
  for (int i = 0; i < gltf::Count(*character.source, "materials"); ++i) materials.push_back(reader.Read(i));
  return materials;
}

}  // namespace sinew::render
