#include "sinew/runtime/contact/touch.h"

#include <cmath>

#include "sinew/runtime/base/half.h"
#include "sinew/runtime/base/tiles.h"
#include "sinew/runtime/contact/field_kernel.h"

namespace sinew::runtime {
namespace {

using Field = ContactTable::Field;

// Shallower touches count as none: the squares of their depths would vanish.
constexpr float kLeastWeight = 1e-30f;
// c of touch.h: where the collider pushes evenly in all directions, n is 0.
constexpr float kEvenPush = 0.05f;

// Adds a vertex inside. share: how much of the field it gets.
void AddVertex(const PosedField& posed, const float (&z)[3], float distance, float share, Touch& touch) {
  touch.beyond |= share < kFullShare;
  const float depth = -distance * share, weight = depth * depth;
  if (!(weight > 0)) return;
  float gradient[3];
  SmoothGradient(posed, z, gradient);
  touch.deepest = depth > touch.deepest ? depth : touch.deepest;
  touch.weight += weight;
  for (int k = 0; k < 3; ++k) {
    touch.place[k] += weight * z[k];
    touch.push[k] += weight * gradient[k];
  }
}

// Returns 1 up to the largest trained depth and 0 at twice of it.
float DepthShare(const Field& field, float deepest) {
  const float over = deepest / field.depth - 1;
  const float s = over <= 0 ? 1 : over < 1 ? 1 - over : 0;
  return s * s * (3 - 2 * s);
}

}  // namespace

void CarryPoint(const PosedField& posed, const Float3& p, float (&z)[3]) noexcept {
  const float off[3] = {p.x - posed.t[0], p.y - posed.t[1], p.z - posed.t[2]};
  for (int k = 0; k < 3; ++k) {
    const float* axis = posed.R + 3 * k;
    z[k] = (axis[0] * off[0] + axis[1] * off[1] + axis[2] * off[2]) * posed.per_unit;
  }
}

void FeelTile(std::span<const PosedField> fields, const SkinTable& skin, int t,
              const StridedSpan<const Float3>& positions, Touch* touches) noexcept {
  const auto of_run = [&](int influences, const uint16_t* slots, const float* weights, const uint16_t* order, int count,
                          bool) {
    for (int i = 0; i < count; ++i) {
      const size_t first = static_cast<size_t>(i) * influences;
      const Float3& p = positions[order[i]];
      for (size_t f = 0; f < fields.size(); ++f) {
        float z[3], distance = 0;
        if (!Contains(fields[f].core, p)) continue;
        CarryPoint(fields[f], p, z);
        if (!SampleDistance(fields[f], z, &distance, nullptr) || !(distance < 0)) continue;
        const Skinned skinned{slots + first, weights == nullptr ? nullptr : weights + first, influences};
        AddVertex(fields[f], z, distance, ShareOf(fields[f], skinned), touches[f]);
      }
    }
  };
  ForEachRun(skin, t, of_run);
}

void AddTouch(const Touch& more, Touch& sum) noexcept {
  sum.deepest = more.deepest > sum.deepest ? more.deepest : sum.deepest;
  sum.weight += more.weight;
  for (int k = 0; k < 3; ++k) {
    sum.place[k] += more.place[k];
    sum.push[k] += more.push[k];
  }
  sum.beyond |= more.beyond;
}

bool SetTouch(const Touch& touch, PosedField& posed) noexcept {
  const Field& f = *posed.field;
  posed.deepest = posed.gate = 0;
  if (!(touch.weight > kLeastWeight)) return touch.beyond;
  float m[3], squared = kEvenPush * kEvenPush;
  for (int k = 0; k < 3; ++k) {
    posed.center[k] = touch.place[k] / touch.weight;
    m[k] = touch.push[k] / touch.weight;
    squared += m[k] * m[k];
  }
  for (int k = 0; k < 3; ++k) posed.push[k] = m[k] / std::sqrt(squared);
  posed.deepest = touch.deepest < f.depth ? touch.deepest : f.depth;
  // What the network sees is clamped to what was trained; a touch that is deeper fades more slowly than one elsewhere.
  float numbers[ContactTable::kTouchNumbers] = {posed.deepest};
  for (int k = 0; k < 3; ++k) {
    numbers[1 + k] = posed.center[k];
    numbers[4 + k] = posed.push[k];
  }
  const float trained =
      ClampToTrained(f.touch_least, f.touch_most, ContactTable::kTouchNumbers, numbers) * DepthShare(f, touch.deepest);
  SetBias(posed, numbers);
  posed.gate = posed.deepest / f.depth * trained;
  return touch.beyond || trained < kFullShare;
}

bool SampleDistance(const PosedField& posed, const float (&z)[3], float* distance, float* gradient) noexcept {
  const Field& field = *posed.field;
  uint32_t cell[3];
  float at[3];
  for (int k = 0; k < 3; ++k) {
    const float x = (z[k] - field.origin[k]) * posed.per_spacing[k];
    const auto last = static_cast<float>(field.counts[k] - 1);
    if (!(x >= 0) || !(x < last)) return false;
    cell[k] = static_cast<uint32_t>(x);
    at[k] = x - static_cast<float>(cell[k]);
  }
  const size_t dy = field.counts[2], dx = dy * field.counts[1];
  const uint16_t* first = posed.table->Array<uint16_t>(field.distances_offset) + cell[0] * dx + cell[1] * dy + cell[2];
  float d[2][2][2];
  for (int x = 0; x < 2; ++x) {
    for (int y = 0; y < 2; ++y) {
      for (int w = 0; w < 2; ++w) d[x][y][w] = HalfToFloat(first[x * dx + y * dy + w]);
    }
  }
  const auto mix = [](float a, float b, float share) { return a + share * (b - a); };
  float along_z[2][2], along_y[2];
  for (int x = 0; x < 2; ++x) {
    for (int y = 0; y < 2; ++y) along_z[x][y] = mix(d[x][y][0], d[x][y][1], at[2]);
    along_y[x] = mix(along_z[x][0], along_z[x][1], at[1]);
  }
  *distance = mix(along_y[0], along_y[1], at[0]);
  if (gradient == nullptr) return true;
  gradient[0] = (along_y[1] - along_y[0]) * posed.per_spacing[0];
  gradient[1] = mix(along_z[0][1] - along_z[0][0], along_z[1][1] - along_z[1][0], at[0]) * posed.per_spacing[1];
  const auto rise = [&](int x) { return mix(d[x][0][1] - d[x][0][0], d[x][1][1] - d[x][1][0], at[1]); };
  gradient[2] = mix(rise(0), rise(1), at[0]) * posed.per_spacing[2];
  return true;
}

void SmoothGradient(const PosedField& posed, const float (&z)[3], float (&gradient)[3]) noexcept {
  for (int k = 0; k < 3; ++k) {
    const float step = posed.field->spacing[k];
    float at[3] = {z[0], z[1], z[2]}, less = 0, more = 0;
    at[k] = z[k] - step;
    const bool below = SampleDistance(posed, at, &less, nullptr);
    at[k] = z[k] + step;
    const bool above = SampleDistance(posed, at, &more, nullptr);
    gradient[k] = below && above ? (more - less) / (2 * step) : 0;
  }
}

}  // namespace sinew::runtime
