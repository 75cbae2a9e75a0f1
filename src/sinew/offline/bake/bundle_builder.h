// Builds a bundle, the one file that ships, from a deformer and the hierarchy that it was trained on.
#ifndef SINEW_OFFLINE_BAKE_BUNDLE_BUILDER_H_
#define SINEW_OFFLINE_BAKE_BUNDLE_BUILDER_H_

#include <string>
#include <vector>

#include "sinew/offline/anatomy/limits.h"
#include "sinew/offline/core/block.h"
#include "sinew/offline/deformer/deformer.h"
#include "sinew/offline/lod/hierarchy.h"
#include "sinew/runtime/asset/bundle.h"
#include "sinew/runtime/base/precision.h"

namespace sinew::bake {

// Order in memory of a level's vertices.
enum class BakeOrder {
  kBest,     // the file's order, unless one by region makes the bases much smaller
  kFile,     // always the order of the level's file
  kInternal  // always an order by region
};

struct BakeOptions {
  runtime::Precision precision = runtime::Precision::kI8;
  // Whether to include the tables that recompute normals from deformed triangles: about an eighth of a bundle.
  bool normals = true;
  BakeOrder order = BakeOrder::kBest;
};

// A bundle in memory.
struct BakedBundle {
  Block file;              // bytes of the file
  runtime::Bundle bundle;  // points into the file
};

// Builds a bundle. limits: one per joint, may be empty. The deformer may have fewer levels than the hierarchy: the
// others then add nothing. The corrective in the rest pose is exactly zero on this CPU. Throws InputError for a
// deformer that does not fit the hierarchy.
BakedBundle BuildBundle(const lod::Hierarchy& hierarchy, const deformer::Deformer& deformer, const JointLimits& limits,
                        const BakeOptions& options = {});

// Error of a precision: distances between the displacements before skinning of a bundle and of a full-precision bundle,
// over vertices and poses.
struct PrecisionError {
  double rms = 0, largest = 0;  // root mean square and maximum, in the character's unit
};
// Returns the error of `bundle` against `exact`, one per level, over the poses.
std::vector<PrecisionError> ComparePrecision(const runtime::Bundle& bundle, const runtime::Bundle& exact,
                                             const std::vector<Pose>& poses);

}  // namespace sinew::bake

#endif  // SINEW_OFFLINE_BAKE_BUNDLE_BUILDER_H_
