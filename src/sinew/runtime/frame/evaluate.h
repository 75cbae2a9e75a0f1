// One frame of a baked character: from a pose to vertices, level by level (Zheng and Barbic 2024, equations 1 and 2).
//
// Per frame: the pose's features, how far it is from what was trained, the networks; then for each level one pass over
// tiles of vertices that upsamples the coarser level's displacements, adds the regions' modes, skins and writes. A
// level may have modes of its own, which are added to what is shown of it and not to what the next level starts from.
// Does not allocate, lock, throw or call the system; under 32 KB of stack. The work depends on the bundle and on what
// is asked for, not on the pose. Results are the same bits whatever the runner and the number of its threads; a
// deadline decides which level is reached, never its values. Any number of instances may be evaluated at once on one
// bundle.
#ifndef SINEW_RUNTIME_FRAME_EVALUATE_H_
#define SINEW_RUNTIME_FRAME_EVALUATE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sinew/runtime/asset/bundle.h"
#include "sinew/runtime/base/clock.h"
#include "sinew/runtime/base/math.h"
#include "sinew/runtime/base/status.h"
#include "sinew/runtime/base/strided_span.h"
#include "sinew/runtime/base/task_runner.h"

namespace sinew::runtime {

enum class NormalSource {
  kSkinned,   // the rest normals, turned by the skin: the cheaper ones
  kTriangles  // made anew from the deformed triangles (skin/normals.h), tangents following; skinned where there are
              // none
};

// What is wanted of one level. Streams have one element a vertex, in the order of the level's file, any stride, and
// must not overlap. Empty: not wanted.
struct LevelOutput {
  StridedSpan<Float3> positions = {};  // model space
  StridedSpan<Float3> normals = {};    // unit; needs positions, and rest normals in the bundle
  StridedSpan<Float4> tangents = {};   // unit, w the handedness; needs normals, and rest tangents in the bundle
  // The correctives before skinning, to be added to the rest positions, for engines that skin by themselves.
  StridedSpan<Float3> displacements = {};
  // In: the slot after skinning. Added to the positions, in model space.
  StridedSpan<const Float3> post_displacements = {};
  NormalSource normals_from = NormalSource::kSkinned;
  Bounds* bounds = nullptr;  // of the positions; may be null
  // Mix for a change of level without a jump: 0 is the level's own shape, 1 puts every vertex onto the surface of the
  // next coarser level, between them positions are mixed. Must be 0 for level 1. Normals are mixed only if they are
  // made from triangles.
  float toward_coarser = 0;

  bool wanted() const { return !positions.empty() || !displacements.empty(); }
};

enum EvaluationFlags : uint32_t {
  // A number of the pose or the root is not finite, or so large that skinning would overflow: the character is at rest.
  kPoseRefused = 1,
  // The pose is beyond what was trained, and some correctives are faded.
  kFaded = 2,
  // The deadline or the stop flag came before the finest level that was asked for.
  kInterrupted = 4
};

struct Evaluation {
  Status status = Status::kOk;
  int level = 0;       // the finest level that is complete, and all coarser ones that were asked for; 0: none
  uint32_t flags = 0;  // EvaluationFlags
  // The largest of the range tests': at most 0 within what was trained, from 1 on some correctives are gone.
  float out_of_range = -1;
};

struct EvaluateJob {
  const Bundle* bundle = nullptr;
  // One a joint, in its parent's frame. Rotations need not be exactly unit.
  std::span<const Transform> pose = {};
  // What the character's roots hang from.
  Affine root = {};
  // levels[i - 1] is level i; levels past the last are not wanted.
  std::span<const LevelOutput> levels = {};
  // Out, may be empty: what the networks say, of the levels 1 to coefficient_level one after another
  // (bundle->coefficient_count()), in metres (multires/basis_table.h).
  std::span<float> coefficients = {};
  int coefficient_level = 0;
  // At least ScratchBytes(), at any address; one instance's own while it is evaluated. Nothing in it is kept.
  std::span<std::byte> scratch = {};
  // No correctives: plain skinning. For comparison.
  bool skin_only = false;

  // May be null: everything on the calling thread.
  TaskRunner* runner = nullptr;
  // A level is begun only if the clock says that it will be done before the deadline, by what the coarser one took; the
  // coarsest that is wanted is always evaluated. Null: no deadline.
  Clock* clock = nullptr;
  int64_t deadline = 0;
  // May be null. Once it is true, no further level is begun.
  const std::atomic<bool>* stop = nullptr;

  // kInvalidArgument: no bundle; a pose of another number of joints; more levels than the bundle has; a stream that is
  // neither empty nor long enough, or with a stride smaller than its elements, or an address or stride that is not a
  // multiple of 4; normals, tangents, bounds or post displacements without positions, normals (tangents) that the
  // bundle has not; toward_coarser not within [0, 1]; coefficients shorter than asked for.
  // kInsufficientSpace: scratch is smaller than ScratchBytes().
  Status Validate() const noexcept;
  // Calls Validate() and returns its status without doing anything if it fails.
  Evaluation Run() const noexcept;
};

// For evaluations up to a level, 0 meaning the finest. A few hundred kilobytes.
size_t ScratchBytes(const Bundle& bundle, int finest_level = 0) noexcept;

// Many instances, of one or several bundles, in one call: one a task, each with scratch of its own. The jobs' own
// runners are not used. evaluations: one a job. runner: may be null.
void EvaluateInstances(std::span<const EvaluateJob> jobs, std::span<Evaluation> evaluations,
                       TaskRunner* runner) noexcept;

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_FRAME_EVALUATE_H_
