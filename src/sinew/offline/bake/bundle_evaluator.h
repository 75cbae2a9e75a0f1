// Evaluation of bundles by the runtime, for offline code: allocates the memory it needs, and reports errors as
// exceptions.
#ifndef SINEW_OFFLINE_BAKE_BUNDLE_EVALUATOR_H_
#define SINEW_OFFLINE_BAKE_BUNDLE_EVALUATOR_H_

#include <memory>

#include "sinew/offline/character/skeleton.h"
#include "sinew/offline/deformer/deformer.h"
#include "sinew/offline/lod/hierarchy.h"
#include "sinew/offline/mesh/tri_mesh.h"
#include "sinew/runtime/asset/bundle.h"
#include "sinew/runtime/base/precision.h"
#include "sinew/runtime/frame/evaluate.h"

namespace sinew::bake {

// Returns the correctives before skinning: one row per vertex of the level, in the order of its file. Runs on the
// calling thread; any number of threads may call it. Throws UsageError for a level that the bundle does not have and
// for a pose with another number of joints. evaluation: output, may be null.
Points Displacements(const runtime::Bundle& bundle, const Pose& pose, int level,
                     runtime::Evaluation* evaluation = nullptr);

// A level in a pose, in model space: one row per vertex, in the order of its file. Normals are recomputed from
// triangles.
struct DeformedLevel {
  Points positions, normals;
  runtime::Evaluation evaluation;
};
DeformedLevel Deform(const runtime::Bundle& bundle, const Pose& pose, int level, bool skin_only = false);

// Evaluates a deformer that is being trained as the runtime will evaluate it, in the precision that ships: the residual
// of this is what the next level has to learn (equations 1 and 2).
class DeformerEvaluator {
 public:
  // Bakes the deformer. Levels that it does not have yet add nothing. Both arguments may be destroyed afterwards. Takes
  // some tenths of a second for a body of 75,000 vertices.
  DeformerEvaluator(const lod::Hierarchy& hierarchy, const deformer::Deformer& deformer, runtime::Precision precision);
  ~DeformerEvaluator();

  // Returns the correctives before skinning: one row per POINT (not vertex) of the level, in the hierarchy's order. May
  // be called from any number of threads.
  Points Displacements(const Pose& pose, int level) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew::bake

#endif  // SINEW_OFFLINE_BAKE_BUNDLE_EVALUATOR_H_
