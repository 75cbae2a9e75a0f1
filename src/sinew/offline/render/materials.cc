#include "sinew/offline/render/materials.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <string>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/io/gltf/document.h"
#include "sinew/offline/io/gltf/images.h"

namespace sinew::render {
namespace {

using gltf::Item;
using gltf::Object;

float NumberOr(const Object& object, const char* key, float fallback) {
  if (!object.Has(key)) return fallback;
  const Json& value = object.json().at(key);
  if (!value.is_number() || !std::isfinite(value.get<float>())) object.Fail(fmt::format("{} is not a number", key));
  return value.get<float>();
}

// Returns offset * rotation * scale; the rotation turns the image clockwise as seen, as in three.js.
Eigen::Affine2f TextureTransform(const Object& extension) {
  const std::vector<float> offset = extension.Floats("offset", 2), scale = extension.Floats("scale", 2);
  const float angle = NumberOr(extension, "rotation", 0);
  Eigen::Affine2f transform = Eigen::Affine2f::Identity();
  if (!offset.empty()) transform.translate(Eigen::Vector2f(offset[0], offset[1]));
  Eigen::Matrix2f turn;
  turn << std::cos(angle), std::sin(angle), -std::sin(angle), std::cos(angle);
  transform.linear() = turn;
  if (!scale.empty()) transform.scale(Eigen::Vector2f(scale[0], scale[1]));
  return transform;
}

void ReadTransparency(const Object& object, Material& material) {
  const std::string mode = object.String("alphaMode");
  if (mode == "MASK") material.transparency = Transparency::kMask;
  if (mode == "BLEND") material.transparency = Transparency::kBlend;
  material.alpha_cutoff = NumberOr(object, "alphaCutoff", 0.5f);
}

class MaterialReader {
 public:
  explicit MaterialReader(const gltf::SourceDocument& document) : document_(document) {}

  Material Read(int index) {
    const Object object = Item(document_, "materials", index);
    Material material;
    material.double_sided = object.Bool("doubleSided");
    ReadTransparency(object, material);
    if (!object.Has("pbrMetallicRoughness")) return material;
    const Object surface = object.Child("pbrMetallicRoughness");
    const std::vector<float> factor = surface.Floats("baseColorFactor", 4);
    if (!factor.empty()) {
      material.has_factor = true;
      material.factor = Color(factor[0], factor[1], factor[2]).cwiseMax(0).cwiseMin(1);
      material.alpha = factor[3];
    }
    if (!surface.Has("baseColorTexture")) return material;
    const Object reference = surface.Child("baseColorTexture");
    material.texture_set = static_cast<int>(reference.Integer("texCoord", 0, 0, 7));
    ReadTransform(reference, material);
    const int texture = reference.Index("index", "textures");
    if (texture < 0) return material;
    const int source = Item(document_, "textures", texture).Index("source", "images");
    if (source >= 0) material.texture = Texture(source);
    return material;
  }

 private:
  static void ReadTransform(const Object& reference, Material& material) {
    if (!reference.Has("extensions") || !reference.Child("extensions").Has("KHR_texture_transform")) return;
    const Object extension = reference.Child("extensions").Child("KHR_texture_transform");
    material.image_from_texture = TextureTransform(extension);
    if (extension.Has("texCoord")) material.texture_set = static_cast<int>(extension.Integer("texCoord", 0, 0, 7));
  }

  std::shared_ptr<const Image> Texture(int index) {
    const auto [entry, fresh] = textures_.try_emplace(index);
    if (!fresh) return entry->second;
    const Object image = Item(document_, "images", index);
    try {
      entry->second =
          std::make_shared<const Image>(DecodeImage(gltf::ImageFile(document_, index), document_.file, image.place()));
    } catch (const InputError& error) {
      Warn("{}; drawn without that texture", error.what());
    }
    return entry->second;
  }

  const gltf::SourceDocument& document_;
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
