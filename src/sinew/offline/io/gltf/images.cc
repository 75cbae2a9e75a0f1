#include "sinew/offline/io/gltf/images.h"

#include <optional>

#include "sinew/offline/io/gltf/base64.h"

namespace sinew::gltf {
namespace {

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

}  // namespace

Bytes ImageFile(const SourceDocument& document, int index) {
  const auto file = document.images.find(index);
  if (file != document.images.end()) return file->second;
  const Object image = Item(document, "images", index);
  if (image.Has("bufferView")) {
    const int view = image.Index("bufferView", "bufferViews");
    if (view >= 0) return BufferViewBytes(document, view);
  }
  const std::string uri = image.String("uri");
  const size_t comma = uri.find(";base64,");
  std::optional<Bytes> decoded;
  if (comma != std::string::npos) decoded = DecodeBase64(std::string_view(uri).substr(comma + 8));
  if (!decoded) image.Fail("its bytes are not there", "put the image beside the file, or do without textures");
  return *decoded;
}

}  // namespace sinew::gltf
