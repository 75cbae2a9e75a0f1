// From a deformer and the hierarchy that it was trained on to a bundle: one file to ship.
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

enum class BakeOrder {
  kBest,     // the file's, unless another makes the bases much smaller
  kFile,     // the order of the level's file
  kInternal  // always one of ours
};

struct BakeOptions {
  runtime::Precision precision = runtime::Precision::kI8;
  // Tables that make normals from deformed triangles. About an eighth of a bundle.
  bool normals = true;
  BakeOrder order = BakeOrder::kBest;
};

// A bundle in memory.
struct BakedBundle {
  Block file;              // what is written to disk
  runtime::Bundle bundle;  // points into the file
};

// limits: one per joint, may be empty. The deformer may have fewer levels than the hierarchy: the others then add
// nothing. The corrective at rest is exactly zero on this CPU. Throws InputError for a deformer that does not fit the
// hierarchy.
BakedBundle BuildBundle(const lod::Hierarchy& hierarchy, const deformer::Deformer& deformer, const JointLimits& limits,
                        const BakeOptions& options = {});

// What a precision costs: distances between a bundle's and a full-precision bundle's displacements before skinning.
struct PrecisionError {
  double rms = 0, largest = 0;  // in the character's unit
};
// One per level, over poses.
std::vector<PrecisionError> ComparePrecision(const runtime::Bundle& bundle, const runtime::Bundle& exact,
                                             const std::vector<Pose>& poses);

}  // namespace sinew::bake

#endif  // SINEW_OFFLINE_BAKE_BUNDLE_BUILDER_H_
