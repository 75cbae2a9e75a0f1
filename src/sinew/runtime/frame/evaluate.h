// Evaluation of one frame of a baked character: from a pose to vertices, level by level (Zheng and Barbic 2024,
// equations 1 and 2).
//
// Per frame it computes the pose's features, how far the pose is from the training poses, and the networks' outputs.
// Then each level takes one pass over tiles of vertices, which upsamples the coarser level's displacements, adds the
// modes of the regions, skins and writes. A level may also have modes of its own, which are added to its outputs but
// not to the displacements that the next level starts from.
//
// An evaluation does not allocate, lock, throw or call the system, and uses under 32 KB of stack. The amount of work
// depends on the bundle and on the requested outputs, not on the pose; with colliders also on how much they touch.
// Results are the same bits whatever the runner and the number of its threads; a deadline decides which level is
// reached, never its values. Any number of instances may be evaluated at the same time on one bundle. A deadline or a
// stop flag ends an evaluation within a tile of kTileVertices (base/tiles.h) vertices per thread.
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
#include "sinew/runtime/contact/posed_field.h"

namespace sinew::runtime {

enum class NormalSource {
  // kTriangles where correctives (CorrectivesMove() below) or post displacements move the surface, which skinned
  // normals know nothing of; kSkinned where skinning alone does.
  kAuto,
  // Rest normals transformed by the skinning matrices; the cheaper choice.
  kSkinned,
  // Normals recomputed from the deformed triangles (skin/normals.h), and tangents made perpendicular to them. Vertices
  // without triangles, and levels baked without a normal table, get skinned normals.
  kTriangles
};

// Whether a level of the bundle, in [1, level_count], has correctives, its own or those of coarser levels.
bool CorrectivesMove(const Bundle& bundle, int level) noexcept;

// Outputs requested of one level. Each stream has one element per vertex, in the order of the level's file, with any
// stride; streams must not overlap. An empty stream is not computed.
struct LevelOutput {
  StridedSpan<Float3> positions = {};  // model space
  StridedSpan<Float3> normals = {};    // unit length; needs positions, and rest normals in the bundle
  StridedSpan<Float4> tangents = {};   // unit length, w the handedness; needs normals, and rest tangents in the bundle
  // Correctives before skinning, to be added to the rest positions: for engines that skin by themselves.
  StridedSpan<Float3> displacements = {};
  // Input: displacements of the caller, such as cloth or contact, added to the positions after skinning, in model
  // space.
  StridedSpan<const Float3> post_displacements = {};
  NormalSource normals_from = NormalSource::kAuto;
  Bounds* bounds = nullptr;  // output: bounding box of the positions; may be null
  // Blend for a change of level without a jump, in [0, 1]: 0 is the level's own shape, 1 puts every vertex onto the
  // surface of the next coarser level, and positions are interpolated between. Must be 0 for level 1. Skinned
  // normals are not blended.
  float toward_coarser = 0;

  bool wanted() const { return !positions.empty() || !displacements.empty(); }
};

// Conditions under which an evaluation succeeds (Status::kOk) without giving all that was asked for.
enum EvaluationFlags : uint32_t {
  // A number of the pose or the root is not finite, or so large that skinning would overflow. The outputs show the rest
  // pose, with the root taken as identity; colliders are left out, too, without kContactRefused. What to do: find the
  // bad number in the animation or the root and correct it; for this frame, draw the rest pose or a copy of the last
  // good vertices.
  kPoseRefused = 1,
  // The pose is outside the range of the training poses, and some correctives are faded toward plain skinning. What to
  // do: nothing for this frame, its vertices are valid. If Evaluation::out_of_range is often 1 or more, keep the
  // animation within the character's joint limits, or train on poses like these.
  kFaded = 2,
  // The deadline or the stop flag came before the finest requested level was complete. What to do: draw
  // Evaluation::level, or what was drawn last if that is 0, and do not use the outputs and coefficients of finer
  // levels, which may be partly of this frame and partly of earlier ones. If it happens often, allow more time or more
  // threads, or request a coarser level.
  kInterrupted = 4,
  // A collider was left out: its pose is not finite or not rigid (it scales, shears or mirrors), its joint or field
  // does not exist, the bundle has no contact, or the root scales the character. The skin is as without it. What to do:
  // correct the pose; learn contact with a collider of that size.
  kContactRefused = 8,
  // Vertices in contact are outside of what was trained: deeper in the collider than it was ever pressed, with joints
  // elsewhere around it, or on joints that were left out. Displacements are clamped and faded there. What to do:
  // nothing for this frame, its vertices are valid. If it happens often, train on such contacts.
  kContactBeyond = 16
};

// Result of an evaluation.
struct Evaluation {
  Status status = Status::kOk;
  int level = 0;       // finest complete level; all coarser levels that were requested are complete, too; 0: none
  uint32_t flags = 0;  // bitwise or of EvaluationFlags
  // Largest result of the out-of-distribution tests ("range tests", multires/range_table.h): at most 0 within the range
  // of the training poses; from 1 on some correctives are switched off. -1 if the evaluation was interrupted before it
  // was known.
  float out_of_range = -1;
};

// Evaluates one frame of one instance.
struct EvaluateJob {
  const Bundle* bundle = nullptr;
  // One transform per joint of the bundle, in the parent's frame. Rotations need not be exactly unit.
  std::span<const Transform> pose = {};
  // Transform from the space of the root joints' parent to model space: identity, or the character's place in the
  // world.
  Affine root = {};
  // Requested outputs: levels[i - 1] is level i. May be shorter than the bundle's levels: nothing is requested of the
  // rest.
  std::span<const LevelOutput> levels = {};
  // Output: the faded outputs of the networks, in the unit of the character (multires/basis_table.h), of the levels 1
  // to coefficient_level one after another; at least bundle->coefficient_count(coefficient_level) floats. May be empty
  // if coefficient_level is 0.
  std::span<float> coefficients = {};
  int coefficient_level = 0;  // 0: no coefficients are wanted; at most bundle->level_count()
  // Working memory of at least ScratchBytes() at any address, used by this evaluation alone while it runs. Nothing in
  // it is kept between evaluations.
  std::span<std::byte> scratch = {};
  // Rigid colliders that press the skin, in model space: the root's, like the outputs. At most kMaxColliders; the work
  // for the vertices in their windows depends on their poses. Worst case: all vertices in the windows of all colliders.
  // What contact does is not part of `displacements` and `coefficients`.
  std::span<const Collider> colliders = {};
  // True: plain skinning without correctives or contact, for comparison.
  bool skin_only = false;

  // Threads to use; may be null: everything on the calling thread.
  TaskRunner* runner = nullptr;
  // Time limit: once the clock has reached `deadline`, in its nanoseconds, nothing more is begun, not even another tile
  // of the level under way, which then counts as not reached. Neither is a level begun that, judging by the time that
  // the coarser one took, would not be complete by then. clock null, or kNoDeadline: no limit.
  Clock* clock = nullptr;
  int64_t deadline = kNoDeadline;
  // Levels up to this one are completed whatever the clock says, for callers that must have something to draw; 0: none.
  int complete_level = 0;
  // Output, may be empty, needs the clock: its reading when the pose, the range tests and the networks of level 1 were
  // done, then after level 1, level 2 and so on, as far as the evaluation came. At most as many as there is room for.
  std::span<int64_t> times = {};
  // Stop flag, may be null. Once it is true, nothing more is begun, as after the deadline, whatever complete_level is.
  const std::atomic<bool>* stop = nullptr;

  // kInvalidArgument: no bundle; a pose with another number of joints than the bundle; more levels than the bundle has;
  // a stream that is neither empty nor long enough, whose stride is smaller than its elements, or whose address or
  // stride is not a multiple of 4; normals, tangents, bounds or post displacements without positions; tangents without
  // normals; normals (tangents) where the bundle has no rest normals (tangents); toward_coarser outside [0, 1], or not
  // 0 for level 1; coefficient_level outside [0, bundle->level_count()]; coefficients shorter than asked for;
  // complete_level below 0; more than kMaxColliders colliders.
  // kInsufficientSpace: scratch is smaller than ScratchBytes().
  Status Validate() const noexcept;
  // Calls Validate() and returns its status without doing anything if it fails.
  Evaluation Run() const noexcept;
};

// Bytes of scratch memory for evaluations up to `finest_level`; 0 stands for the bundle's finest level. A few hundred
// kilobytes.
size_t ScratchBytes(const Bundle& bundle, int finest_level = 0) noexcept;

// Evaluates many instances, of one or several bundles, in one call: one task per job, each with its own scratch. The
// jobs' own runners are not used. evaluations: output, one per job. runner: may be null: everything on the calling
// thread.
void EvaluateInstances(std::span<const EvaluateJob> jobs, std::span<Evaluation> evaluations,
                       TaskRunner* runner) noexcept;

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_FRAME_EVALUATE_H_
