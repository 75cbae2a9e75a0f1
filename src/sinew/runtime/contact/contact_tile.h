// Contact on one tile of skinned vertices: moves those in the windows of posed fields, and turns their normals.
//
// A vertex in no window keeps every bit, and so do all where nothing touches (touch.h). Where windows overlap, the
// displacement is
//     sum_c p_c u_c,   p_c = q_c^3 / sum q^3,   q_c: window at the vertex times depth D of the touch, as a share of
//     depth
// a partition of unity that changes smoothly as colliders come and go, and in which the nearer and deeper collider
// counts most. With one collider p is 1. Colliders that nothing touches do not take part.
//
// Vertices that are still inside of a collider with `push_out` are then moved along the gradient of its distance, by no
// more than what they are inside.
#ifndef SINEW_RUNTIME_CONTACT_CONTACT_TILE_H_
#define SINEW_RUNTIME_CONTACT_CONTACT_TILE_H_

#include <span>

#include "sinew/runtime/base/strided_span.h"
#include "sinew/runtime/contact/touch.h"
#include "sinew/runtime/skin/skin_table.h"

namespace sinew::runtime {

// Vertices of a tile, in internal order: in and out.
struct ContactStreams {
  StridedSpan<Float3> positions = {};
  // May be empty. Turned as the displacement turns the surface: by the cofactor matrix of its gradient, which is that
  // of window and field. Left out is how p_c, the fading beyond what was trained, the clamp of the length, the
  // skinning weights and what is pushed out change from place to place.
  StridedSpan<Float3> normals = {};
  StridedSpan<Float4> tangents = {};  // may be empty; needs normals
};

// Whether some field's window may reach into the box.
bool MeetsWindow(std::span<const PosedField> fields, const Bounds& box) noexcept;

// Moves the vertices of tile t by fields that have the touch of their level. At most kMaxColliders fields. Returns
// whether a vertex in the window of a field that is touched has joints elsewhere than in training, or such that were
// left out; the field fades there.
bool ContactTile(std::span<const PosedField> fields, const SkinTable& skin, int t,
                 const ContactStreams& streams) noexcept;

// Window of the signed distance, as a share of the window's radius: 1 inside, 0 from 1 on, with continuous slope.
inline float ContactWindow(float distance) {
  if (distance <= 0) return 1;
  const float s = distance < 1 ? 1 - distance : 0;
  return s * s * (3 - 2 * s);
}

// What one field sees of one vertex.
struct SeenVertex {
  const PosedField* posed;
  float z[3];                            // z-bar
  float x[ContactTable::kPlaceNumbers];  // as in contact_table.h, before they are clamped
  float axes[9];                         // n, e and n x e in the collider's space, one after another
  float window;                          // above 0
  float share;                           // how much of the field it gets by its joints, 0 to 1
};

// Looks at a vertex from a field's collider. Returns false if it is not in the window or nothing touches.
bool LookAt(const PosedField& posed, const Float3& p, const Skinned& skinned, SeenVertex* seen) noexcept;

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_CONTACT_CONTACT_TILE_H_
