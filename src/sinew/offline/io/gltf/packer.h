// The writer's floor: a document that grows, and in the end becomes one JSON text and one block of bytes.
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

// What a buffer view is for, as glTF numbers it; kNoTarget where it must not be said.
enum Target { kNoTarget = 0, kVertices = 34962, kIndices = 34963 };

struct Packed {
  Json json;  // its only buffer, if any, has no URI yet
  Bytes binary;
};

class Packer {
 public:
  using Visit = std::function<void(Json&)>;
  using VisitAll = void (*)(Json&, const Visit&);

  // Starts from a document (which must outlive this), or from nothing.
  explicit Packer(const SourceDocument* source);

  Json& json() { return json_; }

  // Index of a new buffer view of these bytes. stride 0: tightly packed.
  int AddView(std::span<const std::byte> bytes, Target target, int stride = 0);
  // Index of a new accessor of `values.size() / components` elements; `what` names it in errors: throws FailedError if
  // a value is not finite. bounds: with min and max, as POSITION and key times need them.
  int AddFloats(std::span<const float> values, int components, Target target, bool bounds, const std::string& what);
  // Integers of 1, 2 or 4 bytes (component_type), rounded and clamped; each element is padded to a multiple of 4 bytes.
  int AddIntegers(std::span<const float> values, int components, int component_type, bool normalized);
  int AddUnsigned(std::span<const uint32_t> values, int components, int component_type, Target target);

  // Leaves out accessors and buffer views that were referred to and are no more, if it is sure of that (an extension
  // that it does not know may refer to any of them), and joins all buffers into one.
  Packed Finish();

 private:
  int AddAccessor(int view, int component_type, size_t count, int components);
  void DropReplaced(const char* list, VisitAll visit_all, const std::vector<bool>& at_start);
  void EmbedImages();
  Bytes JoinBuffers(bool whole);

  const SourceDocument* source_;
  Json json_;
  Bytes added_;              // the bytes of new views; in the JSON their buffer is number buffer_count_
  size_t buffer_count_ = 0;  // of the source
  std::vector<bool> accessors_at_start_, views_at_start_;  // those that the source refers to
  bool dropped_ = false;
};

}  // namespace sinew::gltf

#endif  // SINEW_OFFLINE_IO_GLTF_PACKER_H_
