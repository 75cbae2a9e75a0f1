// Lowest layer of the writer: a document that grows, and in the end becomes one JSON text and one block of bytes.
#ifndef SINEW_OFFLINE_IO_GLTF_PACKER_H_
#define SINEW_OFFLINE_IO_GLTF_PACKER_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sinew/offline/core/file.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/io/gltf/document.h"

namespace sinew::gltf {

// Purpose of a buffer view, as glTF numbers it; kNoTarget where glTF forbids one.
enum Target { kNoTarget = 0, kVertices = 34962, kIndices = 34963 };

struct Packed {
  Json json;  // its only buffer, if any, has no URI yet
  Bytes binary;
};

class Packer {
 public:
  using Visit = std::function<void(Json&)>;
  using VisitAll = void (*)(Json&, const Visit&);

  // Starts from a document, which must outlive this, or, if null, from an empty one.
  explicit Packer(const SourceDocument* source);

  Json& json() { return json_; }

  // Adds a buffer view of these bytes and returns its index. stride: in bytes; 0: tightly packed.
  int AddView(std::span<const std::byte> bytes, Target target, int stride = 0);
  // Adds an accessor of `values.size() / components` elements and returns its index. bounds: whether to write min and
  // max, as POSITION and key times need them. Throws FailedError if a value is not finite; `what` names the accessor
  // there.
  int AddFloats(std::span<const float> values, int components, Target target, bool bounds, const std::string& what);
  // The same for numbers most of which may be zero: where it saves bytes, only elements that are not zero are stored (a
  // sparse accessor).
  int AddSparseFloats(std::span<const float> values, int components, bool bounds, const std::string& what);
  // Adds an accessor of integers of 1, 2 or 4 bytes (component_type), rounded and clamped; each element is padded to a
  // multiple of 4 bytes.
  int AddIntegers(std::span<const float> values, int components, int component_type, bool normalized);
  int AddUnsigned(std::span<const uint32_t> values, int components, int component_type, Target target);

  // Returns the finished document with all buffers joined into one. Accessors and buffer views that the source referred
  // to and that nothing refers to any more are left out if that is certain: an unknown extension may refer to any of
  // them.
  Packed Finish();

 private:
  // view: -1 for none.
  int AddAccessor(int view, int component_type, size_t count, int components);
  void DropReplaced(const char* list, VisitAll visit_all, const std::vector<bool>& at_start);
  void EmbedImages();
  Bytes JoinBuffers(bool whole);

  const SourceDocument* source_;
  Json json_;
  Bytes added_;              // bytes of new views; in the JSON their buffer is number buffer_count_
  size_t buffer_count_ = 0;  // number of buffers of the source
  std::vector<bool> accessors_at_start_, views_at_start_;  // whether the source refers to each one
  bool dropped_ = false;
};

}  // namespace sinew::gltf

#endif  // SINEW_OFFLINE_IO_GLTF_PACKER_H_
