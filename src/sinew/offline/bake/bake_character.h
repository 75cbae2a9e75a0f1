// Baking as a user asks for it: in a precision or within a size, with what that costs.
#ifndef SINEW_OFFLINE_BAKE_BAKE_CHARACTER_H_
#define SINEW_OFFLINE_BAKE_BAKE_CHARACTER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/offline/bake/bundle_builder.h"

namespace sinew::bake {

struct BakeRequest {
  runtime::Precision precision = runtime::Precision::kI8;
  // Not 0: the bundle has at most so many bytes. Precision and the modes that are kept (drop_modes.h) are those that
  // stay nearest to the whole deformer, as a sum over the levels.
  size_t max_bytes = 0;
  bool normals = true;
  // Poses inside the joint limits in which the cost of the precision is measured.
  int poses = 24;
  uint64_t seed = 1;
};

struct BakedCharacter {
  BakedBundle baked;
  runtime::Precision precision = runtime::Precision::kI8;
  int modes = 0, dropped = 0;        // of the deformer, and of those the ones left out for the sake of size
  std::vector<PrecisionError> cost;  // one per level, of precision and of what was dropped
};

// file: what errors call the deformer. Joint limits are the character's own (find_limits.h). Throws FailedError if it
// does not fit into the size even without correctives.
BakedCharacter BakeCharacter(const lod::Hierarchy& hierarchy, const deformer::Deformer& deformer,
                             const BakeRequest& request, const std::string& file);

}  // namespace sinew::bake

#endif  // SINEW_OFFLINE_BAKE_BAKE_CHARACTER_H_
