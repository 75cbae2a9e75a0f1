#include "tests/support/gltf_builder.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace sinew::testing {
namespace {

// glTF wants them for positions and key times, and allows them everywhere.
void AddBounds(const std::vector<float>& values, int components, Json& accessor) {
  std::vector<float> low(values.begin(), values.begin() + components), high = low;
  for (size_t i = 0; i < values.size(); ++i) {
    low[i % components] = std::min(low[i % components], values[i]);
    high[i % components] = std::max(high[i % components], values[i]);
  }
  accessor["min"] = low;
  accessor["max"] = high;
}

void Append(Bytes& out, const void* data, size_t size) {
  const auto* bytes = static_cast<const std::byte*>(data);
  out.insert(out.end(), bytes, bytes + size);
}

void Word(Bytes& out, size_t value) {
  const auto word = static_cast<uint32_t>(value);
  Append(out, &word, sizeof word);
}

template <typename Component>
void Store(Bytes& out, float value, bool normalized) {
  using Limits = std::numeric_limits<Component>;
  const double scaled = normalized ? std::round(static_cast<double>(value) * Limits::max()) : value;
  const auto component = static_cast<Component>(scaled);
  Append(out, &component, sizeof component);
}

void StoreAny(Bytes& out, float value, const Layout& layout) {
  switch (layout.component_type) {
    case 5120:
      return Store<int8_t>(out, value, layout.normalized);
    case 5121:
      return Store<uint8_t>(out, value, layout.normalized);
    case 5122:
      return Store<int16_t>(out, value, layout.normalized);
    case 5123:
      return Store<uint16_t>(out, value, layout.normalized);
    case 5125:
      return Store<uint32_t>(out, value, layout.normalized);
    default:
      return Append(out, &value, sizeof value);
  }
}

Bytes Encode(const std::vector<float>& values, int components, const Layout& layout) {
  Bytes out(layout.offset, std::byte{0xee});
  for (size_t i = 0; i < values.size(); i += components) {
    const size_t start = out.size();
    for (int k = 0; k < components; ++k) StoreAny(out, values[i + k], layout);
    if (layout.stride != 0 && i + components < values.size()) out.resize(start + layout.stride, std::byte{0xdd});
  }
  return out;
}

}  // namespace

GltfBuilder::GltfBuilder() {
  json["asset"] = {{"version", "2.0"}};
  json["scene"] = 0;
  json["scenes"] = Json::array({{{"nodes", Json::array()}}});
}

int GltfBuilder::Add(const char* list, Json item) {
  json[list].push_back(std::move(item));
  return static_cast<int>(json[list].size()) - 1;
}

int GltfBuilder::View(const Bytes& bytes, size_t stride) {
  binary.resize((binary.size() + 3) / 4 * 4);
  Json view = {{"buffer", 0}, {"byteOffset", binary.size()}, {"byteLength", bytes.size()}};
  if (stride != 0) view["byteStride"] = stride;
  binary.insert(binary.end(), bytes.begin(), bytes.end());
  return Add("bufferViews", std::move(view));
}

int GltfBuilder::Accessor(const std::vector<float>& values, int components, const Layout& layout) {
  static constexpr const char* kTypes[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
  const size_t count = values.size() / components;
  Json accessor = {{"componentType", layout.component_type},
                   {"count", count},
                   {"type", components == 16 ? "MAT4" : kTypes[components - 1]}};
  if (layout.normalized) accessor["normalized"] = true;
  if (layout.component_type == 5126) AddBounds(values, components, accessor);
  const int view = View(Encode(values, components, layout), layout.sparse ? 0 : layout.stride);
  if (layout.sparse) {
    std::vector<float> indices;
    for (size_t i = 0; i < count; ++i) indices.push_back(static_cast<float>(i));
    const int index_view = View(Encode(indices, 1, {.component_type = 5123}));
    accessor["sparse"] = {{"count", count},
                          {"indices", {{"bufferView", index_view}, {"componentType", 5123}}},
                          {"values", {{"bufferView", view}}}};
  } else {
    accessor["bufferView"] = view;
    if (layout.offset != 0) accessor["byteOffset"] = layout.offset;
  }
  return Add("accessors", std::move(accessor));
}

int GltfBuilder::Root(Json node) {
  const int index = Add("nodes", std::move(node));
  json["scenes"][0]["nodes"].push_back(index);
  return index;
}

Bytes GltfBuilder::Glb() const {
  Json document = json;
  if (!binary.empty()) document["buffers"] = Json::array({{{"byteLength", binary.size()}}});
  std::string text = document.dump();
  text.resize((text.size() + 3) / 4 * 4, ' ');
  Bytes padded = binary;
  padded.resize((padded.size() + 3) / 4 * 4);
  const size_t size = 20 + text.size() + (padded.empty() ? 0 : 8 + padded.size());
  Bytes out;
  for (const size_t word : {size_t{0x46546c67}, size_t{2}, size, text.size(), size_t{0x4e4f534a}}) Word(out, word);
  Append(out, text.data(), text.size());
  if (padded.empty()) return out;
  Word(out, padded.size());
  Word(out, 0x004e4942);
  Append(out, padded.data(), padded.size());
  return out;
}

std::string GltfBuilder::Gltf() const {
  Json document = json;
  if (!binary.empty()) {
    document["buffers"] = Json::array(
        {{{"byteLength", binary.size()}, {"uri", "data:application/octet-stream;base64," + Base64(binary)}}});
  }
  return document.dump(1);
}

std::string GltfBuilder::Base64(const Bytes& bytes) {
  static constexpr const char* kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? std::to_integer<uint32_t>(bytes[i + k]) : 0);
    for (size_t k = 0; k < 4; ++k) {
      const bool padding = i + k > bytes.size();
      out += padding ? '=' : kDigits[group >> (18 - 6 * k) & 63];
    }
  }
  return out;
}

GltfBuilder SmallRig() {
  GltfBuilder builder;
  const Json attributes = {
      {"POSITION", builder.Accessor({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, 3)},
      {"NORMAL", builder.Accessor({0, 0, -1, 1, 0, 0, 0, 1, 0, 0, 0, 1}, 3)},
      {"TEXCOORD_0", builder.Accessor({0, 0, 1, 0, 0, 1, 0.5f, 0.25f}, 2)},
      {"JOINTS_0", builder.Accessor({0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, 4, {.component_type = 5121})},
      {"WEIGHTS_0", builder.Accessor({1, 0, 0, 0, 0.75f, 0.25f, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, 4)}};
  const int indices = builder.Accessor({0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}, 1, {.component_type = 5123});
  builder.Add("meshes",
              {{"name", "body"}, {"primitives", Json::array({{{"attributes", attributes}, {"indices", indices}}})}});
  builder.Root({{"name", "hip"}, {"children", {1}}, {"translation", {0.0, 1.0, 0.0}}});
  builder.Add("nodes", {{"name", "knee"}, {"translation", {0.5, 0.0, 0.0}}});
  builder.Root({{"name", "body"}, {"mesh", 0}, {"skin", 0}});
  const int binds = builder.Accessor(
      {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -0.5f, -1, 0, 1}, 16);
  builder.Add("skins", {{"name", "skin"}, {"joints", {0, 1}}, {"inverseBindMatrices", binds}});
  const int times = builder.Accessor({0, 1}, 1);
  const int turns = builder.Accessor({0, 0, 0, 1, 0, 0.6f, 0, 0.8f}, 4);
  builder.Add("animations",
              {{"name", "walk"},
               {"channels", Json::array({{{"sampler", 0}, {"target", {{"node", 1}, {"path", "rotation"}}}}})},
               {"samplers", Json::array({{{"input", times}, {"output", turns}}})}});
  return builder;
}

GltfBuilder MorphedRig() {
  GltfBuilder builder = SmallRig();
  const int up = builder.Accessor({0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0}, 3);
  const int out = builder.Accessor({0, 0, 2, 0, 0, 2, 0, 0, 2, 0, 0, 2}, 3);
  builder.json["meshes"][0]["primitives"][0]["targets"] = Json::array({{{"POSITION", up}}, {{"POSITION", out}}});
  const int times = builder.Accessor({0, 1, 2}, 1), weights = builder.Accessor({0, 0, 1, 0, 0.5f, 0.25f}, 1);
  Json& animation = builder.json["animations"][0];
  animation["samplers"].push_back({{"input", times}, {"output", weights}});
  animation["channels"].push_back({{"sampler", 1}, {"target", {{"node", 2}, {"path", "weights"}}}});
  return builder;
}

}  // namespace sinew::testing
