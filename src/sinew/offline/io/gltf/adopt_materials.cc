#include "sinew/offline/io/gltf/adopt_materials.h"

#include <algorithm>
#include <string>

#include "sinew/offline/io/gltf/document.h"
#include "sinew/offline/io/gltf/images.h"

namespace sinew::gltf {
namespace {

// Copies lists of one document to the end of those of another.
class Adopter {
 public:
  Adopter(const SourceDocument& from, SourceDocument& into)
      : from_(from),
        into_(into),
        textures_(Count(into, "textures")),
        samplers_(Count(into, "samplers")),
        images_(Count(into, "images")) {}

  std::vector<int> Adopt() {
    std::vector<int> indices;
    for (int m = 0; m < Count(from_, "materials"); ++m) {
      Json material = Item(from_, "materials", m).json();
      ShiftTextures(material, "material " + std::to_string(m));
      indices.push_back(Append("materials", std::move(material)));
    }
    for (int t = 0; t < Count(from_, "textures"); ++t) AdoptTexture(Item(from_, "textures", t));
    for (int s = 0; s < Count(from_, "samplers"); ++s) Append("samplers", Item(from_, "samplers", s).json());
    for (int i = 0; i < Count(from_, "images"); ++i) AdoptImage(i);
    for (const char* list : {"extensionsUsed", "extensionsRequired"}) AdoptNames(list);
    return indices;
  }

 private:
  int Append(const char* list, Json item) {
    into_.json[list].push_back(std::move(item));
    return static_cast<int>(into_.json[list].size()) - 1;
  }

  // Shifts the index under a key of an object, which may lack it.
  void Shift(Json& json, const char* key, const char* list, int by, const std::string& place) const {
    const int index = Object(from_, json, place).Index(key, list);
    if (index >= 0) json[key] = index + by;
  }

  // A material names textures under keys that end in "Texture", those of its extensions included.
  void ShiftTextures(Json& json, const std::string& place) const {
    if (!json.is_object()) return;
    for (auto& [key, value] : json.items()) {
      if (key.ends_with("Texture") && value.is_object()) Shift(value, "index", "textures", textures_, place);
      if (key != "extras") ShiftTextures(value, place);
    }
  }

  void AdoptTexture(const Object& object) {
    Json texture = object.json();
    Shift(texture, "source", "images", images_, object.place());
    Shift(texture, "sampler", "samplers", samplers_, object.place());
    // Extensions name an image of another format.
    if (texture.contains("extensions") && texture["extensions"].is_object()) {
      for (auto& [name, extension] : texture["extensions"].items()) {
        if (extension.is_object()) Shift(extension, "source", "images", images_, object.place());
      }
    }
    Append("textures", std::move(texture));
  }

  void AdoptImage(int index) {
    Json image = Item(from_, "images", index).json();
    const bool is_here = image.contains("bufferView") || from_.images.contains(index);
    if (is_here) {
      into_.images[images_ + index] = ImageFile(from_, index);
      image.erase("bufferView");
    }
    Append("images", std::move(image));
  }

  void AdoptNames(const char* list) {
    if (!from_.json.contains(list) || !from_.json[list].is_array()) return;
    for (const Json& name : from_.json[list]) {
      Json& names = into_.json[list];
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }

  const SourceDocument& from_;
  SourceDocument& into_;
  int textures_, samplers_, images_;  // how many there were
};

}  // namespace

std::vector<int> AdoptMaterials(const Character& from, Character& into) {
  if (from.source == nullptr || Count(*from.source, "materials") == 0) return {};
  auto document = std::make_shared<SourceDocument>();
  if (into.source != nullptr) *document = *into.source;
  std::vector<int> indices = Adopter(*from.source, *document).Adopt();
  into.source = std::move(document);
  return indices;
}

}  // namespace sinew::gltf
