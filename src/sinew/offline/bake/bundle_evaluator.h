// Evaluation of bundles, and of deformers in training, by the runtime, for offline code: allocates the memory it needs,
// and reports errors as exceptions. Levels count from 1 (coarsest).
#ifndef SINEW_OFFLINE_BAKE_BUNDLE_EVALUATOR_H_
#define SINEW_OFFLINE_BAKE_BUNDLE_EVALUATOR_H_

#include <memory>
#include <span>

#include "sinew/offline/character/skeleton.h"
#include "sinew/offline/deformer/deformer.h"
#include "sinew/offline/lod/hierarchy.h"
#include "sinew/offline/mesh/tri_mesh.h"
#include "sinew/runtime/asset/bundle.h"
#include "sinew/runtime/base/precision.h"
#include "sinew/runtime/frame/evaluate.h"

namespace sinew::bake {

// Returns the correctives before skinning, to be added to the rest positions: one row per vertex of the level, in the
// vertex order of the level's file. Runs on the calling thread; any number of threads may call it. Throws UsageError
// for a level that the bundle does not have and for a pose whose number of joints is not the bundle's, FailedError if
// the runtime refuses the evaluation. evaluation: output, the runtime's result; may be null.
Points Displacements(const runtime::Bundle& bundle, const Pose& pose, int level,
                     runtime::Evaluation* evaluation = nullptr);

// Level in a pose, in model space: one row per vertex, in the vertex order of the level's file. Normals are recomputed
// from the deformed triangles (NormalSource::kTriangles).
struct DeformedLevel {
  Points positions, normals;
  runtime::Evaluation evaluation;
};
// Deforms a level by correctives and skinning. skin_only: without correctives. colliders: what presses the skin, by the
// bundle's contact fields. Threads and errors: as Displacements().
DeformedLevel Deform(const runtime::Bundle& bundle, const Pose& pose, int level, bool skin_only = false,
                     std::span<const runtime::Collider> colliders = {});

// Evaluates a deformer in training exactly as the runtime will, in the precision that ships, so that the next level
// learns the residual which the shipped coarser levels leave (Zheng and Barbic 2024, equations 1 and 2).
class DeformerEvaluator {
 public:
  // Bakes the deformer. Levels that are not trained yet have no modes: their displacements are those of the coarser
  // level, upsampled (zero if the deformer is not incremental). Hierarchy and deformer may be destroyed afterwards.
  // Takes some tenths of a second for a body of 75,000 vertices.
  DeformerEvaluator(const lod::Hierarchy& hierarchy, const deformer::Deformer& deformer, runtime::Precision precision);
  ~DeformerEvaluator();

  // Returns the correctives before skinning: one row per point (vertices with seams closed, lod/surface.h) of the
  // level, in the hierarchy's order. May be called from any number of threads.
  Points Displacements(const Pose& pose, int level) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew::bake

#endif  // SINEW_OFFLINE_BAKE_BUNDLE_EVALUATOR_H_
