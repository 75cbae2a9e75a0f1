// Contact on one tile of skinned vertices: moves those in the windows of posed fields, and turns their normals.
//
// A vertex in no window keeps every bit. Where windows overlap, with w_c their values at a vertex, the displacement is
//     sum_c p_c w_c u_c,   p_c = w_c^3 / sum w^3:
// a partition of unity that changes smoothly as colliders come and go, and in which the nearer collider counts most.
// With one collider p is 1.
#ifndef SINEW_RUNTIME_CONTACT_CONTACT_TILE_H_
#define SINEW_RUNTIME_CONTACT_CONTACT_TILE_H_

#include <span>

#include "sinew/runtime/base/strided_span.h"
#include "sinew/runtime/contact/posed_field.h"
#include "sinew/runtime/skin/skin_table.h"

namespace sinew::runtime {

// Vertices of a tile, in internal order: in and out.
struct ContactStreams {
  StridedSpan<Float3> positions = {};
  // May be empty. Turned as the displacement turns the surface: by the cofactor matrix of its gradient, which is that
  // of window and field. Left out is how p_c, the fading beyond what was trained, the clamp of the length and the
  // skinning weights change from place to place.
  StridedSpan<Float3> normals = {};
  StridedSpan<Float4> tangents = {};  // may be empty; needs normals
};

// Whether some field's window may reach into the box.
bool MeetsWindow(std::span<const PosedField> fields, const Bounds& box) noexcept;

// Moves the vertices of tile t. At most kMaxColliders fields. Returns whether a vertex in a window is outside of what
// was trained: deeper in the collider, with joints elsewhere, or on joints that were left out; the field fades there.
bool ContactTile(std::span<const PosedField> fields, const SkinTable& skin, int t,
                 const ContactStreams& streams) noexcept;

// Window of the signed distance, as a share of the window's radius: 1 inside, 0 from 1 on, with continuous slope.
inline float ContactWindow(float distance) {
  if (distance <= 0) return 1;
  const float s = distance < 1 ? 1 - distance : 0;
  return s * s * (3 - 2 * s);
}

// Interpolated signed distance to a field's collider at z-bar, and its gradient; both in the field's unit. gradient: 3
// floats, may be null. Returns false outside of the grid.
bool SampleDistance(const PosedField& posed, const float (&z)[3], float* distance, float* gradient) noexcept;

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_CONTACT_CONTACT_TILE_H_
