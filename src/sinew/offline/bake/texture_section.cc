#include "sinew/offline/bake/texture_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "sinew/offline/core/binary.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/io/gltf/document.h"
#include "sinew/offline/io/gltf/images.h"
#include "sinew/offline/tables/bundle_writer.h"

namespace sinew::bake {
namespace {

using gltf::Item;
using gltf::Object;
using runtime::format::SectionType;

constexpr int64_t kRepeat = 10497;  // glTF's number for repeating wrap

// Returns the MIME type by the first bytes of a file; empty if it is not one that every browser and engine reads.
std::string ImageType(const Bytes& file) {
  const std::string_view start(reinterpret_cast<const char*>(file.data()), std::min<size_t>(file.size(), 12));
  if (start.starts_with("\x89PNG\r\n\x1a\n")) return "image/png";
  if (start.starts_with("\xff\xd8\xff")) return "image/jpeg";
  if (start.starts_with("RIFF") && start.ends_with("WEBP")) return "image/webp";
  return "";
}

std::vector<float> FloatsOr(const Object& object, const char* key, const std::vector<float>& fallback) {
  std::vector<float> values = object.Floats(key, fallback.size());
  return values.empty() ? fallback : values;
}

double NumberOr(const Object& object, const char* key, double fallback) {
  if (!object.Has(key)) return fallback;
  const Json& value = object.json().at(key);
  if (!value.is_number()) object.Fail(fmt::format("{} is not a number", key));
  return value.get<double>();
}

class TextureWriter {
 public:
  explicit TextureWriter(const gltf::SourceDocument& document) : document_(document) {}

  // Adds a material of the document if it is new; returns its index in the section.
  int Add(int material) {
    const auto [entry, fresh] = numbers_.try_emplace(material, static_cast<int>(materials_.size()));
    if (fresh) materials_.push_back(Read(material));
    return entry->second;
  }

  bool colored() const { return colored_; }

  Bytes Section(const Json& levels) const {
    const Json json = {{"materials", materials_}, {"images", images_}, {"levels", levels}};
    const std::string text = JsonText(json);
    BinaryWriter writer;
    writer.PutCount(text.size());
    writer.PutCount(0);
    writer.Put(text.data(), text.size());
    writer.Put(files_.data(), files_.size());
    return writer.bytes();
  }

 private:
  Json Read(int index) {
    const Object object = Item(document_, "materials", index);
    const std::string mode = object.String("alphaMode");
    Json material = {{"name", object.String("name")},
                     {"color", {1, 1, 1, 1}},
                     {"image", -1},
                     {"double_sided", object.Bool("doubleSided")},
                     {"alpha", mode == "MASK"    ? "mask"
                               : mode == "BLEND" ? "blend"
                                                 : "opaque"},
                     {"alpha_cutoff", NumberOr(object, "alphaCutoff", 0.5)}};
    if (!object.Has("pbrMetallicRoughness")) return material;
    const Object surface = object.Child("pbrMetallicRoughness");
    if (surface.Has("baseColorFactor")) {
      material["color"] = FloatsOr(surface, "baseColorFactor", {1, 1, 1, 1});
      colored_ = true;
    }
    if (surface.Has("baseColorTexture")) ReadTexture(surface.Child("baseColorTexture"), material);
    return material;
  }

  void ReadTexture(const Object& reference, Json& material) {
    int64_t set = reference.Integer("texCoord", 0, 0, 7);
    Json transform = Json::object();
    if (reference.Has("extensions") && reference.Child("extensions").Has("KHR_texture_transform")) {
      const Object extension = reference.Child("extensions").Child("KHR_texture_transform");
      set = extension.Integer("texCoord", set, 0, 7);
      transform = {{"offset", FloatsOr(extension, "offset", {0, 0})},
                   {"rotation", NumberOr(extension, "rotation", 0)},
                   {"scale", FloatsOr(extension, "scale", {1, 1})}};
    }
    const int texture = reference.Index("index", "textures");
    if (texture < 0) return;
    if (set != 0) {
      Warn("{}: material \"{}\" has its image on TEXCOORD_{}, and bundles have TEXCOORD_0; left out", document_.file,
           material["name"].get<std::string>(), set);
      return;
    }
    const Object of = Item(document_, "textures", texture);
    const int source = of.Index("source", "images");
    if (source < 0) return;
    material["image"] = Image(source);
    material["wrap"] = Wrap(of);
    material.update(transform);
  }

  Json Wrap(const Object& texture) const {
    const int sampler = texture.Index("sampler", "samplers");
    if (sampler < 0) return {kRepeat, kRepeat};
    const Object of = Item(document_, "samplers", sampler);
    return {of.Integer("wrapS", kRepeat, 0, 1 << 20), of.Integer("wrapT", kRepeat, 0, 1 << 20)};
  }

  // Adds an image of the document if it is new; returns its index in the section, or -1 if it cannot be used.
  int Image(int index) {
    const auto [entry, fresh] = image_numbers_.try_emplace(index, -1);
    if (!fresh) return entry->second;
    try {
      const Bytes file = gltf::ImageFile(document_, index);
      const std::string type = ImageType(file);
      if (type.empty()) Item(document_, "images", index).Fail("is neither PNG nor JPEG nor WebP", "convert it");
      entry->second = static_cast<int>(images_.size());
      images_.push_back({{"type", type}, {"offset", files_.size()}, {"bytes", file.size()}});
      files_.insert(files_.end(), file.begin(), file.end());
      colored_ = true;
    } catch (const InputError& error) {
      Warn("{}; baked without that texture", error.what());
    }
    return entry->second;
  }

  const gltf::SourceDocument& document_;
  std::map<int, int> numbers_, image_numbers_;  // index in the document -> index in the section
  Json materials_ = Json::array(), images_ = Json::array();
  Bytes files_;  // bytes of the images, one after another
  bool colored_ = false;
};

}  // namespace

Bytes FormatTextures(const lod::Hierarchy& hierarchy) {
  const Character& finest = hierarchy.levels.back().character;
  if (finest.source == nullptr) return {};
  TextureWriter writer(*finest.source);
  Json levels = Json::array();
  for (const lod::Level& level : hierarchy.levels) {
    Json of_parts = Json::array();
    // All levels use the materials of the file that they were made from, with its indices.
    for (const Part& part : level.character.parts)
      of_parts.push_back(part.material < 0 ? -1 : writer.Add(part.material));
    levels.push_back(std::move(of_parts));
  }
  return writer.colored() ? writer.Section(levels) : Bytes{};
}

BakedBundle WithTextures(BakedBundle baked, const lod::Hierarchy& hierarchy, size_t* texture_bytes) {
  *texture_bytes = 0;
  const Bytes textures = FormatTextures(hierarchy);
  if (textures.empty()) return baked;
  tables::BundleWriter writer;
  const std::span<const std::byte> file = std::as_const(baked.file).bytes();
  for (const runtime::format::SectionEntry& entry : baked.bundle.sections()) {
    writer.Add(static_cast<SectionType>(entry.type), static_cast<int>(entry.level),
               file.subspan(entry.offset, entry.bytes), (entry.flags & runtime::format::kRequired) != 0);
  }
  writer.Add(SectionType::kTextures, 0, textures, false);
  BakedBundle textured{writer.Write(baked.bundle.level_count()), {}};
  const char* problem = nullptr;
  if (runtime::Bundle::Open(textured.file.bytes(), &textured.bundle, &problem) != runtime::Status::kOk) {
    throw FailedError(fmt::format("the bundle with textures does not open: {}", problem));
  }
  *texture_bytes = std::as_const(textured.file).bytes().size() - file.size();
  return textured;
}

}  // namespace sinew::bake
