// glTF documents made by hand, legal and illegal: whatever layout a test needs, independent of the writer under test.
#ifndef SINEW_TESTS_SUPPORT_GLTF_BUILDER_H_
#define SINEW_TESTS_SUPPORT_GLTF_BUILDER_H_

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/offline/core/file.h"
#include "sinew/offline/core/json.h"

namespace sinew::testing {

// How the numbers of an accessor lie in the buffer.
struct Layout {
  int component_type = 5126;
  bool normalized = false;
  size_t stride = 0;    // of the buffer view; 0: tightly packed
  size_t offset = 0;    // of the accessor in its view
  bool sparse = false;  // over nothing: every element is a replacement
};

class GltfBuilder {
 public:
  GltfBuilder();

  int Add(const char* list, Json item);

  int View(const Bytes& bytes, size_t stride = 0);

  int Accessor(const std::vector<float>& values, int components, const Layout& layout = {});

  // A node in the scene.
  int Root(Json node);

  Bytes Glb() const;

  // The same as .gltf text with its buffer as a data URI.
  std::string Gltf() const;

  static std::string Base64(const Bytes& bytes);

  Json json;
  Bytes binary;
};

// A tetrahedron on two joints with a walk of two keys: the smallest character that has everything.
GltfBuilder SmallRig();

// SmallRig() with two morph targets, "up" and "out", whose weights its animation keys at 0, 1 and 2 seconds.
GltfBuilder MorphedRig();

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_GLTF_BUILDER_H_
