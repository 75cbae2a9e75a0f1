// Baking as a user requests it: in a given precision or within a given size, with a measurement of the resulting error.
#ifndef SINEW_OFFLINE_BAKE_BAKE_CHARACTER_H_
#define SINEW_OFFLINE_BAKE_BAKE_CHARACTER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/offline/bake/bundle_builder.h"

namespace sinew::bake {

struct BakeRequest {
  runtime::Precision precision = runtime::Precision::kI8;
  // Largest size of the bundle in bytes; 0: no limit. With a limit, `precision` is ignored: the precision and the modes
  // that are kept (drop_modes.h) are those that stay nearest to the whole deformer, as a sum of errors over the levels.
  size_t max_bytes = 0;
  bool normals = true;  // as BakeOptions::normals
  // Number of random poses within the joint limits over which the error is measured.
  int poses = 24;
  uint64_t seed = 1;
};

struct BakedCharacter {
  BakedBundle baked;
  runtime::Precision precision = runtime::Precision::kI8;
  int modes = 0, dropped = 0;        // modes of the deformer, and how many of them were left out to save space
  std::vector<PrecisionError> cost;  // one per level: error caused by the precision and the dropped modes
};

// Bakes a character. file: what errors call the deformer. The joint limits are the character's own (find_limits.h).
// Throws FailedError if it does not fit into the size even without correctives.
BakedCharacter BakeCharacter(const lod::Hierarchy& hierarchy, const deformer::Deformer& deformer,
                             const BakeRequest& request, const std::string& file);

}  // namespace sinew::bake

#endif  // SINEW_OFFLINE_BAKE_BAKE_CHARACTER_H_
