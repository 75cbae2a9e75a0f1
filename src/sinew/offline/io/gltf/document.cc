#include "sinew/offline/io/gltf/document.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/core/read_below.h"
#include "sinew/offline/core/text.h"
#include "sinew/offline/io/gltf/base64.h"

namespace sinew::gltf {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "glTF";
constexpr uint32_t kJsonChunk = 0x4e4f534a;
constexpr uint32_t kBinaryChunk = 0x004e4942;
constexpr const char* kCutShort = "the file is damaged or cut short: export or copy it again";

std::string_view Text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

uint32_t Word(std::span<const std::byte> bytes, size_t at) {
  uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

struct Container {
  std::string_view json;
  std::optional<std::span<const std::byte>> binary;
};

// Splits a GLB (glTF 2.0, 4): a header of 12 bytes, then chunks of (length, type, bytes), first JSON, then perhaps BIN.
Container SplitGlb(std::span<const std::byte> bytes, const std::string& file) {
  // The header.
  if (bytes.size() < 12) throw InputError(file, "GLB header", "needs 12 bytes", kCutShort);
  if (const uint32_t version = Word(bytes, 4); version != 2) {
    throw InputError(file, "GLB header", fmt::format("is of version {}, not 2", version), "export it as glTF 2.0");
  }
  const uint32_t length = Word(bytes, 8);
  if (length > bytes.size()) {
    throw InputError(file, "GLB header", fmt::format("claims {} bytes but there are {}", length, bytes.size()),
                     kCutShort);
  }
  if (length < bytes.size()) Warn("{}: ignoring {} bytes after the end of the GLB", file, bytes.size() - length);
  bytes = bytes.first(length);
  // The chunks.
  Container container;
  size_t at = 12;
  int unknown = 0;
  for (int chunk = 0; at < bytes.size(); ++chunk) {
    const std::string place = fmt::format("GLB chunk {}", chunk);
    if (bytes.size() - at < 8) throw InputError(file, place, "needs a header of 8 bytes", kCutShort);
    const uint32_t size = Word(bytes, at), type = Word(bytes, at + 4);
    at += 8;
    if (size > bytes.size() - at) {
      throw InputError(file, place, fmt::format("claims {} bytes but {} are left", size, bytes.size() - at), kCutShort);
    }
    const auto content = bytes.subspan(at, size);
    at += size;
    if (chunk == 0 && type != kJsonChunk) throw InputError(file, place, "is not JSON", "export the file again");
    if (chunk == 0) {
      container.json = Text(content);
    } else if (chunk == 1 && type == kBinaryChunk) {
      container.binary = content;
    } else {
      ++unknown;
    }
  }
  if (unknown > 0) Warn("{}: {} GLB chunks of types that glTF 2.0 does not define are not kept", file, unknown);
  if (container.json.empty()) throw InputError(file, "GLB", "has no JSON chunk", kCutShort);
  return container;
}

// Whether a required extension is one that Sinew reads, or that does not affect what it reads.
bool KnownExtension(const std::string& name) {
  static constexpr std::array kKnown = {"KHR_mesh_quantization", "KHR_texture_transform", "KHR_lights_punctual",
                                        "KHR_texture_basisu",    "KHR_xmp_json_ld",       "EXT_texture_webp",
                                        "EXT_texture_avif",      "MSFT_texture_dds",      "KHR_animation_pointer"};
  if (name.starts_with("KHR_materials_") || name.starts_with("VRMC_")) return true;
  return std::any_of(kKnown.begin(), kKnown.end(), [&](const char* known) { return name == known; });
}

void CheckRequiredExtensions(const Object& root) {
  if (!root.Has("extensionsRequired")) return;
  const Json& names = root.json().at("extensionsRequired");
  if (!names.is_array()) root.Fail("'extensionsRequired' is not a list");
  for (const Json& name : names) {
    if (!name.is_string()) root.Fail("'extensionsRequired' is not a list of texts");
    const auto text = name.get<std::string>();
    if (KnownExtension(text)) continue;
    root.Fail(fmt::format("requires the extension {}, which Sinew does not read", Shortened(text, kMaxQuoted)),
              text.find("compression") == std::string::npos ? "export the file without it"
                                                            : "export the file without compression");
  }
}

void CheckTopLevel(const SourceDocument& document) {
  const Object root(document, document.json, "document");
  const std::string version = root.Child("asset").String("version");
  if (!version.starts_with("2.") && version != "2") {
    root.Fail(fmt::format("is of glTF version '{}', not 2.0", version), "export it as glTF 2.0");
  }
  CheckRequiredExtensions(root);
  for (const char* list : {"accessors", "animations", "buffers", "bufferViews", "cameras", "images", "materials",
                           "meshes", "nodes", "samplers", "scenes", "skins", "textures"}) {
    if (!root.Has(list)) continue;
    const Json& items = document.json.at(list);
    if (!items.is_array()) root.Fail(fmt::format("'{}' is not a list", list));
    for (const Json& item : items) {
      if (!item.is_object()) root.Fail(fmt::format("'{}' holds something that is not an object", list));
    }
  }
}

bool IsDataUri(const std::string& uri) { return uri.starts_with("data:"); }

Bytes DecodeDataUri(const Object& owner, const std::string& uri) {
  const size_t comma = uri.find(',');
  if (comma == std::string::npos || !std::string_view(uri).substr(0, comma).ends_with(";base64")) {
    owner.Fail("its data URI is not base64");
  }
  std::optional<Bytes> bytes = DecodeBase64(std::string_view(uri).substr(comma + 1));
  if (!bytes) owner.Fail("its data URI is not valid base64", kCutShort);
  return std::move(*bytes);
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::string DecodePercent(const Object& owner, const std::string& uri) {
  std::string out;
  for (size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] != '%') {
      out += uri[i];
      continue;
    }
    const int high = i + 2 < uri.size() ? HexDigit(uri[i + 1]) : -1,
              low = i + 2 < uri.size() ? HexDigit(uri[i + 2]) : -1;
    if (high < 0 || low < 0 || high + low == 0) owner.Fail(fmt::format("its URI '{}' is malformed", uri));
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

// Reads the file that a URI names. Only files below the document's own folder are opened, so that a character from a
// stranger cannot read anything else, nor make anyone wait.
Bytes ReadUri(const Object& owner, const std::string& uri, const fs::path& folder) {
  const std::string decoded = DecodePercent(owner, uri);
  const fs::path relative(decoded);
  bool inside = !decoded.empty() && relative.is_relative() && decoded.find_first_of(":\\") == std::string::npos;
  for (const fs::path& step : relative) inside = inside && step != "..";
  if (!inside) {
    owner.Fail(fmt::format("its URI '{}' leads out of the file's folder", uri), "put the file beside the .gltf");
  }
  if (folder.empty()) owner.Fail(fmt::format("names the file '{}', but there is no folder to look in", decoded), "");
  return ReadFileBelow(folder, relative);
}

Bytes LoadBuffer(const Object& buffer, const fs::path& folder,
                 const std::optional<std::span<const std::byte>>& binary) {
  const auto length =
      static_cast<uint64_t>(buffer.RequiredInteger("byteLength", 1, std::numeric_limits<int64_t>::max()));
  Bytes bytes;
  if (buffer.Has("uri")) {
    const std::string uri = buffer.String("uri");
    bytes = IsDataUri(uri) ? DecodeDataUri(buffer, uri) : ReadUri(buffer, uri, folder);
  } else if (buffer.place() == "buffer 0" && binary) {
    bytes.assign(binary->begin(), binary->end());
  } else {
    buffer.Fail("has neither a URI nor a GLB's binary chunk");
  }
  if (bytes.size() < length) {
    buffer.Fail(fmt::format("claims {} bytes but there are {}", length, bytes.size()), kCutShort);
  }
  bytes.resize(length);
  return bytes;
}

void CheckViews(const SourceDocument& document) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  for (int i = 0; i < Count(document, "bufferViews"); ++i) {
    const Object view = Item(document, "bufferViews", i);
    const int buffer = view.Index("buffer", "buffers");
    if (buffer < 0) view.Fail("has no 'buffer'");
    const auto size = static_cast<int64_t>(document.buffers[buffer].size());
    const int64_t offset = view.Integer("byteOffset", 0, 0, kMax), length = view.RequiredInteger("byteLength", 1, kMax);
    if (offset > size || length > size - offset) {
      view.Fail(fmt::format("wants {} bytes from byte {} of buffer {}, which has {}", length, offset, buffer, size));
    }
  }
}

// Loads the images that are files of their own. A missing one is only a warning, since images are not needed to read a
// character.
void LoadImages(SourceDocument& document, const fs::path& folder) {
  for (int i = 0; i < Count(document, "images"); ++i) {
    const Object image = Item(document, "images", i);
    const std::string uri = image.String("uri");
    if (uri.empty() || IsDataUri(uri) || folder.empty()) continue;
    try {
      document.images[i] = ReadUri(image, uri, folder);
    } catch (const InputError& error) {
      Warn("{} (kept by name only)", error.what());
    }
  }
}

}  // namespace

std::string EncodeUri(const std::string& file_name) {
  std::string out;
  for (const char c : file_name) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

SourceDocument ParseDocument(std::span<const std::byte> bytes, const std::string& file, const fs::path& folder) {
  if (bytes.empty()) throw InputError(file, "", "is empty", kCutShort);
  SourceDocument document;
  document.file = file;
  Container container{Text(bytes), std::nullopt};
  if (container.json.starts_with(kMagic)) container = SplitGlb(bytes, file);
  document.json = ParseJson(container.json, file);
  CheckTopLevel(document);
  for (int i = 0; i < Count(document, "buffers"); ++i) {
    document.buffers.push_back(LoadBuffer(Item(document, "buffers", i), folder, container.binary));
  }
  CheckViews(document);
  LoadImages(document, folder);
  return document;
}

}  // namespace sinew::gltf
