// Jobs that turn a pose into skinning matrices. Both are linear in the number of joints and touch nothing but their
// arguments.
#ifndef SINEW_RUNTIME_POSE_POSE_H_
#define SINEW_RUNTIME_POSE_POSE_H_

#include <cstdint>
#include <span>

#include "sinew/runtime/base/math.h"
#include "sinew/runtime/base/status.h"

namespace sinew::runtime {

Affine ToAffine(const Transform& transform) noexcept;
// Returns a * b: applies b first, then a.
Affine Multiply(const Affine& a, const Affine& b) noexcept;

// Transforms a pose from local transforms (each in its parent's frame) to model space:
//     model[j] = model[parent[j]] * local[j].
struct LocalToModelJob {
  // One per joint: the index of its parent, which comes before it, or a negative number for a root.
  std::span<const int16_t> parents = {};
  // One per joint. Rotations need not be exactly unit: they are normalised; a zero one counts as identity.
  std::span<const Transform> locals = {};
  // Transform of the root joints' parent: identity, or the character's place in the world.
  Affine root = {};
  // Output: at least one per joint. Must not overlap the inputs.
  std::span<Affine> models = {};

  // kInvalidArgument: locals or models are shorter than parents; a parent does not come before its child.
  Status Validate() const noexcept;
  // Calls Validate() and returns its status without doing anything if it fails.
  Status Run() const noexcept;
};

// Computes skinning matrices, skinning[j] = model[j] * inverse_bind[j]: from the space that the mesh is stored in (mesh
// data space) to model space.
struct SkinningMatricesJob {
  std::span<const Affine> models = {};         // one per joint
  std::span<const Affine> inverse_binds = {};  // one per joint
  std::span<Affine> skinning = {};             // output: at least one per joint; may be `models` itself

  // kInvalidArgument: inverse_binds or skinning are shorter than models.
  Status Validate() const noexcept;
  // Calls Validate() and returns its status without doing anything if it fails.
  Status Run() const noexcept;
};

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_POSE_POSE_H_
