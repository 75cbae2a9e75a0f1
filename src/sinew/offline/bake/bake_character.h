// Baking of a trained deformer into a bundle as a user requests it: in a given precision or within a given size, with a
// measurement of the resulting error.
#ifndef SINEW_OFFLINE_BAKE_BAKE_CHARACTER_H_
#define SINEW_OFFLINE_BAKE_BAKE_CHARACTER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/offline/bake/bundle_builder.h"

namespace sinew::bake {

struct BakeRequest {
  runtime::Precision precision = runtime::Precision::kI8;
  // Largest size of the bundle in bytes; 0: no limit. With a limit, `precision` is ignored: in each precision as many
  // modes are kept as fit (deformer/drop_modes.h), and the precision with the smallest error is used. Errors are sums
  // over the levels of PrecisionError::rms against the whole deformer in full precision.
  size_t max_bytes = 0;
  bool normals = true;  // as BakeOptions::normals
  // Number and seed of the random poses within the joint limits over which the error is measured.
  int poses = 24;
  uint64_t seed = 1;
};

struct BakedCharacter {
  BakedBundle baked;
  runtime::Precision precision = runtime::Precision::kI8;  // precision of the bundle: as requested, or selected
  int modes = 0, dropped = 0;        // number of modes of the deformer, and how many were dropped to save space
  std::vector<PrecisionError> cost;  // one per level: error caused by the precision and the dropped modes
};

// Bakes a character. file: name of the deformer in error messages. Joint limits are those that FindLimits() gives for
// the character (find_limits.h). Throws FailedError if the bundle exceeds max_bytes even without correctives.
BakedCharacter BakeCharacter(const lod::Hierarchy& hierarchy, const deformer::Deformer& deformer,
                             const BakeRequest& request, const std::string& file);

}  // namespace sinew::bake

#endif  // SINEW_OFFLINE_BAKE_BAKE_CHARACTER_H_
