// The runtime's evaluation of bundles, for the offline side: memory is found, errors are exceptions.
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

// Before skinning: one row a vertex of the level, in the order of its file. On the calling thread; any number of
// threads may call it. Throws UsageError for a pose of another skeleton. evaluation: out, may be null.
Points Displacements(const runtime::Bundle& bundle, const Pose& pose, int level,
                     runtime::Evaluation* evaluation = nullptr);

// A level in a pose, in model space: one row a vertex, in the order of its file.
struct DeformedLevel {
  Points positions, normals;
  runtime::Evaluation evaluation;
};
DeformedLevel Deform(const runtime::Bundle& bundle, const Pose& pose, int level, bool skin_only = false);

// What a deformer that is being trained does, as the runtime will do it in the precision that ships: what is left for
// the next level to learn is what this leaves (equations 1 and 2).
class DeformerEvaluator {
 public:
  // Levels that the deformer does not have yet add nothing. Both arguments may go away afterwards. Takes some tenths of
  // a second for a body of 75,000 vertices.
  DeformerEvaluator(const lod::Hierarchy& hierarchy, const deformer::Deformer& deformer, runtime::Precision precision);
  ~DeformerEvaluator();

  // Before skinning: one row a POINT of the level, in the hierarchy's order. From any number of threads.
  Points Displacements(const Pose& pose, int level) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew::bake

#endif  // SINEW_OFFLINE_BAKE_BUNDLE_EVALUATOR_H_
