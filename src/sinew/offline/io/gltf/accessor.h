// glTF's accessors: typed numbers in a buffer, any legal layout (strided, sparse, normalised, absent), nothing illegal.
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

// In bytes; 0 if glTF has no such type.
int ComponentSize(int component_type);
// "VEC3" -> 3; 0 for a type that is not known.
int ComponentCount(const std::string& type);

// What an accessor says about itself, checked against what its buffer view holds.
struct AccessorInfo {
  int component_type = kFloat;
  int components = 1;
  int64_t count = 0;
  bool normalized = false;
};

// How much a document may be unpacked to, so that a small hostile file cannot claim all memory by naming the same
// bytes, or none at all, ten thousand times.
class Budget {
 public:
  explicit Budget(const SourceDocument& document);
  // Throws InputError once the sum of the charges is too much.
  void Charge(const Object& culprit, int64_t bytes);

 private:
  int64_t left_;
};

class AccessorReader {
 public:
  explicit AccessorReader(const SourceDocument& document) : document_(document), budget_(document) {}

  AccessorInfo Info(int accessor) const;
  // count * components values, all finite. components: what the caller needs; the accessor must have as many.
  std::vector<float> Floats(int accessor, int components);
  // count * components values of unsigned integers.
  std::vector<uint32_t> Integers(int accessor, int components);

  Budget& budget() { return budget_; }
  const SourceDocument& document() const { return document_; }

 private:
  const SourceDocument& document_;
  Budget budget_;
};

}  // namespace sinew::gltf

#endif  // SINEW_OFFLINE_IO_GLTF_ACCESSOR_H_
