// Touch of a posed field: what the vertices inside of its collider have in common in a frame. It says whether there is
// contact at all, how deep, where on the collider, and which way the collider pushes; the field (contact_table.h) is
// zero without one.
//
// With d < 0 the signed distance of a vertex inside, s how much of the field its joints get, and a = (s d)^2:
//     D = max -s d,   p = sum a z-bar / sum a,   n = m / sqrt(|m|^2 + c^2) with m = sum a grad d / sum a
// All of them change continuously in time, p and n wherever D is not 0. Each level has its own, by its own vertices.
#ifndef SINEW_RUNTIME_CONTACT_TOUCH_H_
#define SINEW_RUNTIME_CONTACT_TOUCH_H_

#include <span>

#include "sinew/runtime/base/strided_span.h"
#include "sinew/runtime/contact/posed_field.h"
#include "sinew/runtime/skin/skin_table.h"

namespace sinew::runtime {

// Sums over some of the vertices inside.
struct Touch {
  float deepest = 0;    // D
  float weight = 0;     // sum a
  float place[3] = {};  // sum a z-bar
  float push[3] = {};   // sum a grad d
  bool beyond = false;  // whether a vertex inside is on joints that were left out or are outside of their range
};

// Adds the vertices of tile t to one touch per field.
void FeelTile(std::span<const PosedField> fields, const SkinTable& skin, int t,
              const StridedSpan<const Float3>& positions, Touch* touches) noexcept;

// Adds what another tile has. The sum depends on the order in which tiles are added.
void AddTouch(const Touch& more, Touch& sum) noexcept;

// Gives a field its touch. Returns whether the touch is deeper or elsewhere than in training: the field fades there.
bool SetTouch(const Touch& touch, PosedField& posed) noexcept;

// Place of a model-space point in a collider's space, in the field's unit: z-bar.
void CarryPoint(const PosedField& posed, const Float3& p, float (&z)[3]) noexcept;

// Signed distance to a field's collider at z-bar, and the gradient of its interpolation; both in the field's unit.
// gradient: 3 floats, may be null. Returns false outside of the grid.
bool SampleDistance(const PosedField& posed, const float (&z)[3], float* distance, float* gradient) noexcept;

// Gradient of the signed distance by differences over the grid's spacing. Unlike that of the interpolation it changes
// continuously from place to place.
void SmoothGradient(const PosedField& posed, const float (&z)[3], float (&gradient)[3]) noexcept;

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_CONTACT_TOUCH_H_
