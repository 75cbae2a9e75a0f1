// Reads glTF accessors, typed numbers in a buffer, in any legal layout (strided, sparse, normalised, without a buffer
// view), and rejects every illegal one.
#ifndef SINEW_OFFLINE_IO_GLTF_ACCESSOR_H_
#define SINEW_OFFLINE_IO_GLTF_ACCESSOR_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/offline/io/gltf/document.h"

namespace sinew::gltf {

enum ComponentType {
  kByte = 5120,
  kUnsignedByte = 5121,
  kShort = 5122,
  kUnsignedShort = 5123,
  kUnsignedInt = 5125,
  kFloat = 5126
};

// Size in bytes; 0 if glTF has no such type.
int ComponentSize(int component_type);
// Number of components of a type ("VEC3" -> 3); 0 for an unknown type.
int ComponentCount(const std::string& type);

// Properties that an accessor declares, checked against what its buffer view holds.
struct AccessorInfo {
  int component_type = kFloat;
  int components = 1;
  int64_t count = 0;
  bool normalized = false;
};

// Treatment of values that are NaN: the file is refused, or the caller gets them and judges.
enum class Nan { kRefuse, kKeep };

// Limit on the total size to which a document may be unpacked, so that a small hostile file cannot claim all memory by
// naming the same bytes, or none at all, ten thousand times.
class Budget {
 public:
  explicit Budget(const SourceDocument& document);
  // Adds `bytes` to the total; throws InputError, naming `culprit`, once it exceeds the limit.
  void Charge(const Object& culprit, int64_t bytes);

 private:
  int64_t left_;
};

class AccessorReader {
 public:
  explicit AccessorReader(const SourceDocument& document) : document_(document), budget_(document) {}

  AccessorInfo Info(int accessor) const;
  // Returns count * components values, all finite, or NaN where `nan` keeps it. components: number that the caller
  // needs; the accessor must have that number. Throws InputError if it has not, or for data that is out of bounds or
  // not finite.
  std::vector<float> Floats(int accessor, int components, Nan nan = Nan::kRefuse);
  // Throws InputError for an element of an accessor that has a value which cannot be used.
  [[noreturn]] void Refuse(int accessor, int64_t element, float value) const;
  // Returns count * components values. Throws InputError as Floats() does, and if they are not unsigned integers.
  std::vector<uint32_t> Integers(int accessor, int components);

  Budget& budget() { return budget_; }
  const SourceDocument& document() const { return document_; }

 private:
  const SourceDocument& document_;
  Budget budget_;
};

}  // namespace sinew::gltf

#endif  // SINEW_OFFLINE_IO_GLTF_ACCESSOR_H_
