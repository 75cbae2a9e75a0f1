#include "sinew/offline/io/gltf/packer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include "sinew/offline/core/error.h"
#include "sinew/offline/io/gltf/accessor.h"

namespace sinew::gltf {
namespace {

std::string TypeName(int components) {
  static constexpr std::array kNames = {"SCALAR", "VEC2", "VEC3", "VEC4"};
  return components == 16 ? "MAT4" : kNames[components - 1];
}

template <typename Component>
void StoreRow(std::span<const float> row, bool normalized, std::byte* to) {
  using Limits = std::numeric_limits<Component>;
  for (const float value : row) {
    const double scaled = normalized ? static_cast<double>(value) * Limits::max() : value;
    const double low = normalized ? -static_cast<double>(Limits::max()) : static_cast<double>(Limits::min());
    const double clamped = std::clamp(std::round(scaled), std::max(low, static_cast<double>(Limits::min())),
                                      static_cast<double>(Limits::max()));
    const auto component = static_cast<Component>(clamped);
    std::memcpy(to, &component, sizeof component);
    to += sizeof component;
  }
}

void StoreAnyRow(std::span<const float> row, int component_type, bool normalized, std::byte* to) {
  switch (component_type) {
    case kByte:
      return StoreRow<int8_t>(row, normalized, to);
    case kUnsignedByte:
      return StoreRow<uint8_t>(row, normalized, to);
    case kShort:
      return StoreRow<int16_t>(row, normalized, to);
    case kUnsignedShort:
      return StoreRow<uint16_t>(row, normalized, to);
    default:
      return StoreRow<uint32_t>(row, normalized, to);
  }
}

void RequireFinite(std::span<const float> values, int components, const std::string& what) {
  const auto bad = std::find_if(values.begin(), values.end(), [](float value) { return !std::isfinite(value); });
  if (bad == values.end()) return;
  throw FailedError(
      fmt::format("{}: element {} is {}, which cannot be written", what, (bad - values.begin()) / components, *bad));
}

// Smallest and largest value per component.
void SetBounds(std::span<const float> values, int components, Json& accessor) {
  std::vector<float> low(values.begin(), values.begin() + components), high = low;
  for (size_t i = 0; i < values.size(); ++i) {
    low[i % components] = std::min(low[i % components], values[i]);
    high[i % components] = std::max(high[i % components], values[i]);
  }
  accessor["min"] = low;
  accessor["max"] = high;
}

size_t RoundUp4(size_t n) { return (n + 3) / 4 * 4; }

// Whether an extension is known to name neither accessors nor buffer views.
bool NamesNoData(const std::string& extension) {
  static constexpr std::array kKnown = {"KHR_mesh_quantization", "KHR_texture_transform",
                                        "KHR_lights_punctual",   "KHR_texture_basisu",
                                        "KHR_xmp_json_ld",       "EXT_texture_webp",
                                        "EXT_texture_avif",      "MSFT_texture_dds",
                                        "KHR_animation_pointer", "VRM"};
  if (extension.starts_with("KHR_materials_") || extension.starts_with("VRMC_")) return true;
  return std::any_of(kKnown.begin(), kKnown.end(), [&](const char* known) { return extension == known; });
}

bool HasUnknownExtension(const Json& json) {
  if (json.is_object()) {
    const auto extensions = json.find("extensions");
    if (extensions != json.end() && extensions->is_object()) {
      for (const auto& [name, unused] : extensions->items()) {
        if (!NamesNoData(name)) return true;
      }
    }
  }
  if (!json.is_structured()) return false;
  return std::any_of(json.begin(), json.end(), [](const Json& child) { return HasUnknownExtension(child); });
}

using Visit = Packer::Visit;
using VisitAll = Packer::VisitAll;

void VisitKey(Json& object, const char* key, const Visit& visit) {
  if (object.is_object() && object.contains(key)) visit(object[key]);
}

void VisitList(Json& object, const char* key, const Visit& visit) {
  VisitKey(object, key, [&](Json& list) {
    for (Json& item : list) visit(item);
  });
}

// Visits every place of glTF 2.0 that names an accessor.
void VisitAccessorReferences(Json& document, const Visit& visit) {
  VisitList(document, "meshes", [&](Json& mesh) {
    VisitList(mesh, "primitives", [&](Json& primitive) {
      VisitKey(primitive, "indices", visit);
      VisitList(primitive, "attributes", visit);
      VisitList(primitive, "targets", [&](Json& target) {
        for (Json& attribute : target) visit(attribute);
      });
    });
  });
  VisitList(document, "skins", [&](Json& skin) { VisitKey(skin, "inverseBindMatrices", visit); });
  VisitList(document, "animations", [&](Json& animation) {
    VisitList(animation, "samplers", [&](Json& sampler) {
      VisitKey(sampler, "input", visit);
      VisitKey(sampler, "output", visit);
    });
  });
}

// Visits every place that names a buffer view.
void VisitViewReferences(Json& document, const Visit& visit) {
  VisitList(document, "accessors", [&](Json& accessor) {
    VisitKey(accessor, "bufferView", visit);
    VisitKey(accessor, "sparse", [&](Json& sparse) {
      VisitKey(sparse, "indices", [&](Json& part) { VisitKey(part, "bufferView", visit); });
      VisitKey(sparse, "values", [&](Json& part) { VisitKey(part, "bufferView", visit); });
    });
  });
  VisitList(document, "images", [&](Json& image) { VisitKey(image, "bufferView", visit); });
}

bool IsIndexInto(const Json& value, size_t count) {
  if (!value.is_number()) return false;
  const auto number = value.get<double>();
  return number >= 0 && number < static_cast<double>(count) && std::floor(number) == number;
}

// Returns for each item of a list of the document whether it is named somewhere.
std::vector<bool> Referenced(Json& document, const char* list, VisitAll visit_all) {
  std::vector<bool> referenced(document.contains(list) ? document[list].size() : 0, false);
  visit_all(document, [&](const Json& reference) {
    if (IsIndexInto(reference, referenced.size())) referenced[reference.get<size_t>()] = true;
  });
  return referenced;
}

// Removes all items of a list but those to keep, and renumbers the references to them.
void KeepItems(Json& document, const char* list, VisitAll visit_all, const std::vector<bool>& keep) {
  if (!document.contains(list)) return;
  Json kept = Json::array();
  std::vector<size_t> renumbered(keep.size());
  for (size_t i = 0; i < keep.size(); ++i) {
    renumbered[i] = kept.size();
    if (keep[i]) kept.push_back(std::move(document[list][i]));
  }
  visit_all(document, [&](Json& reference) {
    if (IsIndexInto(reference, renumbered.size())) reference = renumbered[reference.get<size_t>()];
  });
  if (kept.empty()) {
    document.erase(list);
  } else {
    document[list] = std::move(kept);
  }
}

std::string PictureType(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with("\x89PNG")) return "image/png";
  if (text.starts_with("\xff\xd8\xff")) return "image/jpeg";
  if (text.starts_with("RIFF") && text.substr(8).starts_with("WEBP")) return "image/webp";
  return text.starts_with("\xabKTX 20") ? "image/ktx2" : "";
}

// A range of bytes of a source buffer that is kept, and its offset in the joined buffer.
struct Stretch {
  int64_t begin, end, to;
};

// Returns the union of the views' ranges in one buffer, in ascending order.
std::vector<Stretch> UsedStretches(const Json& document, size_t buffer) {
  std::vector<Stretch> ranges;
  if (!document.contains("bufferViews")) return ranges;
  for (const Json& view : document["bufferViews"]) {
    if (view.value("buffer", size_t{0}) != buffer) continue;
    const int64_t begin = view.value("byteOffset", int64_t{0});
    ranges.push_back({begin, begin + view.value("byteLength", int64_t{0}), 0});
  }
  std::sort(ranges.begin(), ranges.end(), [](const Stretch& a, const Stretch& b) { return a.begin < b.begin; });
  std::vector<Stretch> joined;
  for (const Stretch& range : ranges) {
    if (!joined.empty() && range.begin <= joined.back().end) {
      joined.back().end = std::max(joined.back().end, range.end);
    } else {
      joined.push_back(range);
    }
  }
  return joined;
}

// Buffer views move with their bytes; so do the extensions of a view that name a buffer of their own.
void MoveView(Json& view, const std::vector<std::vector<Stretch>>& stretches) {
  const size_t buffer = view.value("buffer", size_t{0});
  const int64_t offset = view.value("byteOffset", int64_t{0});
  const auto& list = stretches[buffer];
  const auto after = std::upper_bound(list.begin(), list.end(), offset,
                                      [](int64_t value, const Stretch& stretch) { return value < stretch.begin; });
  const Stretch& stretch = *std::prev(after);
  view["buffer"] = 0;
  view["byteOffset"] = stretch.to + offset - stretch.begin;
}

}  // namespace

Packer::Packer(const SourceDocument* source) : source_(source), json_(Json::object()) {
  if (source == nullptr) return;
  json_ = source->json;
  buffer_count_ = source->buffers.size();
  accessors_at_start_ = Referenced(json_, "accessors", VisitAccessorReferences);
  views_at_start_ = Referenced(json_, "bufferViews", VisitViewReferences);
}

int Packer::AddView(std::span<const std::byte> bytes, Target target, int stride) {
  added_.resize(RoundUp4(added_.size()));
  Json view = {{"buffer", buffer_count_}, {"byteOffset", added_.size()}, {"byteLength", bytes.size()}};
  if (stride != 0) view["byteStride"] = stride;
  if (target != kNoTarget) view["target"] = static_cast<int>(target);
  added_.insert(added_.end(), bytes.begin(), bytes.end());
  json_["bufferViews"].push_back(std::move(view));
  return static_cast<int>(json_["bufferViews"].size()) - 1;
}

int Packer::AddAccessor(int view, int component_type, size_t count, int components) {
  Json accessor = Json::object();
  if (view >= 0) accessor["bufferView"] = view;
  accessor["componentType"] = component_type;
  accessor["count"] = count;
  accessor["type"] = TypeName(components);
  json_["accessors"].push_back(std::move(accessor));
  return static_cast<int>(json_["accessors"].size()) - 1;
}

int Packer::AddFloats(std::span<const float> values, int components, Target target, bool bounds,
                      const std::string& what) {
  RequireFinite(values, components, what);
  const int index = AddAccessor(AddView(std::as_bytes(values), target), kFloat, values.size() / components, components);
  if (bounds) SetBounds(values, components, json_["accessors"][index]);
  return index;
}

int Packer::AddSparseFloats(std::span<const float> values, int components, bool bounds, const std::string& what) {
  RequireFinite(values, components, what);
  const size_t count = values.size() / components;
  std::vector<uint32_t> rows;
  for (size_t i = 0; i < count; ++i) {
    const auto row = values.subspan(i * components, components);
    if (std::any_of(row.begin(), row.end(), [](float value) { return value != 0; })) {
      rows.push_back(static_cast<uint32_t>(i));
    }
  }
  // A list without entries is not allowed.
  if (rows.empty()) rows.push_back(0);
  const int type = count <= 0xffff ? kUnsignedShort : kUnsignedInt;
  const size_t row_bytes = components * sizeof(float);
  if (rows.size() * (row_bytes + ComponentSize(type)) >= count * row_bytes) {
    return AddFloats(values, components, kNoTarget, bounds, what);
  }
  std::vector<float> kept;
  Bytes indices(rows.size() * ComponentSize(type));
  for (size_t k = 0; k < rows.size(); ++k) {
    const auto row = values.subspan(static_cast<size_t>(rows[k]) * components, components);
    kept.insert(kept.end(), row.begin(), row.end());
    std::memcpy(indices.data() + k * ComponentSize(type), &rows[k], ComponentSize(type));
  }
  const int index = AddAccessor(-1, kFloat, count, components);
  const int of_indices = AddView(indices, kNoTarget), of_values = AddView(std::as_bytes(std::span(kept)), kNoTarget);
  Json& accessor = json_["accessors"][index];
  accessor["sparse"] = {{"count", rows.size()},
                        {"indices", {{"bufferView", of_indices}, {"componentType", type}}},
                        {"values", {{"bufferView", of_values}}}};
  if (bounds) SetBounds(values, components, accessor);
  return index;
}

int Packer::AddIntegers(std::span<const float> values, int components, int component_type, bool normalized) {
  const size_t count = values.size() / components;
  const size_t size = static_cast<size_t>(ComponentSize(component_type)) * components, stride = RoundUp4(size);
  Bytes bytes(count * stride);
  for (size_t i = 0; i < count; ++i) {
    StoreAnyRow(values.subspan(i * components, components), component_type, normalized, bytes.data() + i * stride);
  }
  const int view = AddView(bytes, kVertices, stride == size ? 0 : static_cast<int>(stride));
  const int index = AddAccessor(view, component_type, count, components);
  if (normalized) json_["accessors"][index]["normalized"] = true;
  return index;
}

int Packer::AddUnsigned(std::span<const uint32_t> values, int components, int component_type, Target target) {
  const size_t size = ComponentSize(component_type);
  Bytes bytes(values.size() * size);
  // On a little-endian CPU the low bytes, which are all that is kept, come first.
  for (size_t i = 0; i < values.size(); ++i) std::memcpy(bytes.data() + i * size, &values[i], size);
  return AddAccessor(AddView(bytes, target), component_type, values.size() / components, components);
}

void Packer::DropReplaced(const char* list, VisitAll visit_all, const std::vector<bool>& at_start) {
  std::vector<bool> keep = Referenced(json_, list, visit_all);
  for (size_t i = 0; i < at_start.size(); ++i) keep[i] = keep[i] || !at_start[i];
  if (std::find(keep.begin(), keep.end(), false) == keep.end()) return;
  KeepItems(json_, list, visit_all, keep);
  dropped_ = true;
}

void Packer::EmbedImages() {
  if (source_ == nullptr) return;
  for (const auto& [index, bytes] : source_->images) {
    Json& image = json_["images"][index];
    const std::string type = PictureType(bytes);
    if (type.empty()) continue;
    image.erase("uri");
    image["mimeType"] = type;
    image["bufferView"] = AddView(bytes, kNoTarget);
  }
}

Bytes Packer::JoinBuffers(bool whole) {
  Bytes joined;
  std::vector<std::vector<Stretch>> stretches;
  for (size_t b = 0; b <= buffer_count_; ++b) {
    const Bytes& bytes = b < buffer_count_ ? source_->buffers[b] : added_;
    stretches.push_back(whole ? std::vector<Stretch>{{0, static_cast<int64_t>(bytes.size()), 0}}
                              : UsedStretches(json_, b));
    for (Stretch& stretch : stretches.back()) {
      stretch.begin = std::min(stretch.begin / 4 * 4, static_cast<int64_t>(bytes.size()));
      stretch.end = std::min(stretch.end, static_cast<int64_t>(bytes.size()));
      if (stretch.begin < stretch.end) joined.resize(RoundUp4(joined.size()));
      stretch.to = static_cast<int64_t>(joined.size());
      joined.insert(joined.end(), bytes.begin() + stretch.begin, bytes.begin() + std::max(stretch.begin, stretch.end));
    }
  }
  if (json_.contains("bufferViews")) {
    for (Json& view : json_["bufferViews"]) MoveView(view, stretches);
  }
  return joined;
}

Packed Packer::Finish() {
  EmbedImages();
  if (!HasUnknownExtension(json_)) {
    DropReplaced("accessors", VisitAccessorReferences, accessors_at_start_);
    DropReplaced("bufferViews", VisitViewReferences, views_at_start_);
  }
  Packed packed;
  packed.binary = JoinBuffers(!dropped_);
  Json buffer = Json::object();
  if (json_.contains("buffers") && !json_["buffers"].empty()) buffer = json_["buffers"][0];
  buffer.erase("uri");
  buffer["byteLength"] = packed.binary.size();
  if (packed.binary.empty()) {
    json_.erase("buffers");
  } else {
    json_["buffers"] = Json::array({buffer});
  }
  packed.json = std::move(json_);
  return packed;
}

}  // namespace sinew::gltf
