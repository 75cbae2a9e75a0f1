// Linear blend and dual quaternion skinning of positions, normals and tangents, with 1 to 8 influences per vertex.
//
// Both jobs are one fused pass: pre-skinning corrective, skinning, post-skinning corrective, bounding box. They do not
// allocate, lock, throw or call the system, use under 16 KB of stack, and read nothing but what they are given. Results
// are the same bits whatever the task runner and its number of threads. Several may run at once on one table.
//
// Every stream is in the order of the file that the table was built from. Outputs must not overlap inputs or each
// other, except that streams may be interleaved in one buffer: only the bytes of the elements themselves are written.
#ifndef SINEW_RUNTIME_SKIN_SKIN_H_
#define SINEW_RUNTIME_SKIN_SKIN_H_

#include <span>

#include "sinew/runtime/base/math.h"
#include "sinew/runtime/base/status.h"
#include "sinew/runtime/base/strided_span.h"
#include "sinew/runtime/base/task_runner.h"
#include "sinew/runtime/skin/skin_table.h"

namespace sinew::runtime {

// Inputs and outputs of skinning, one element per vertex; elements past the table's vertices are ignored. Lengths in
// metres.
struct SkinStreams {
  // The undeformed mesh, in the space that the inverse bind matrices expect (mesh data space).
  StridedSpan<const Float3> rest_positions = {};
  StridedSpan<const Float3> rest_normals = {};   // unit length; may be empty if no normals are wanted
  StridedSpan<const Float4> rest_tangents = {};  // unit length, w the handedness; may be empty if none are wanted

  // Correctives, each empty or one displacement per vertex: pre_displacements are added to the rest positions before
  // skinning (_skin space), post_displacements to the skinned positions (_model space). Normals and tangents are not
  // corrected by them: recompute them with NormalsJob (skin/normals.h).
  StridedSpan<const Float3> pre_displacements = {};
  StridedSpan<const Float3> post_displacements = {};

  // Results in model space.
  StridedSpan<Float3> positions = {};
  StridedSpan<Float3> normals = {};   // empty: not computed. Unit length, or zero where there is no direction
  StridedSpan<Float4> tangents = {};  // empty: not computed. Unit length, w as at rest, or negated by mirroring
};

// Matrix by which linear blend skinning transforms normals.
enum class NormalMatrix {
  // The linear part of the blended matrix, as for tangents. Right for joints that rotate, translate and scale
  // uniformly, which is nearly every character; the cheapest.
  kLinear,
  // The inverse transpose of that linear part, up to a positive factor, computed per vertex. Right for any joints:
  // under
  // non-uniform scale and shear a normal stays perpendicular to the surface, and under mirroring it still points out of
  // it, although the triangles are then clockwise seen from there; tangents change their handedness.
  kCofactor
};

// Linear blend skinning of one mesh.
struct LinearBlendJob {
  const SkinTable* table = nullptr;
  // Skinning matrices as SkinningMatricesJob computes them, at least table->joint_count().
  std::span<const Affine> matrices = {};
  SkinStreams streams = {};
  NormalMatrix normal_matrix = NormalMatrix::kLinear;
  // Output, may be null: bounding box of the resulting positions.
  Bounds* bounds = nullptr;
  // May be null: everything on the calling thread.
  TaskRunner* runner = nullptr;

  // kInvalidArgument: no table; too few matrices; rest_positions or positions shorter than the table's vertices;
  // normals (tangents) wanted without rest normals (tangents), or either shorter than the vertices; a displacement
  // stream that is neither empty nor long enough; a stream whose stride is smaller than its elements, or whose address
  // or stride is not a multiple of 4 bytes.
  Status Validate() const noexcept;
  // Calls Validate() and returns its status without doing anything if it fails.
  Status Run() const noexcept;
};

// A joint's skinning matrix, split for dual quaternion skinning into a stretch followed by a rigid motion:
//     x -> rotate(real, stretch * x) + translation,
// with the translation in the dual part.
struct alignas(16) RigidStretch {
  Quaternion real;                                           // rotation; unit quaternion
  float dual[4] = {};                                        // (translation, 0) * real / 2, (x, y, z, w)
  float stretch[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};  // three columns of (x, y, z, 0)
};

// Splits skinning matrices by the rotation nearest to each (the polar decomposition if the matrix is invertible). Any
// matrix is accepted, singular and mirrored ones, too: what is not rotation goes into the stretch, so that the product
// of the two parts is the matrix. Rigid matrices take a short cut; the others cost about a microsecond each.
struct RigidStretchJob {
  std::span<const Affine> matrices = {};
  std::span<RigidStretch> joints = {};  // output: at least as many as matrices

  // kInvalidArgument: fewer joints than matrices.
  Status Validate() const noexcept;
  // Calls Validate() and returns its status without doing anything if it fails.
  Status Run() const noexcept;
};

// Dual quaternion skinning (Kavan, Collins, Zara, O'Sullivan 2008), in their two phases: the stretches are blended
// linearly and applied first, then the rigid motions are blended as dual quaternions. Quaternions of opposite sign (the
// same rotation) are flipped to the hemisphere of the strongest influence before blending. Normals are transformed by
// the inverse transpose of the blended stretch, as NormalMatrix::kCofactor does it. A vertex with one influence gets
// exactly its joint's matrix.
struct DualQuaternionJob {
  const SkinTable* table = nullptr;
  // Split matrices as RigidStretchJob computes them, at least table->joint_count().
  std::span<const RigidStretch> joints = {};
  SkinStreams streams = {};
  Bounds* bounds = nullptr;      // as in LinearBlendJob
  TaskRunner* runner = nullptr;  // as in LinearBlendJob

  // kInvalidArgument: as LinearBlendJob, with joints in place of matrices.
  Status Validate() const noexcept;
  // Calls Validate() and returns its status without doing anything if it fails.
  Status Run() const noexcept;
};

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_SKIN_SKIN_H_
