#include "sinew/runtime/contact/contact_tile.h"

#include <cmath>

#include "sinew/runtime/base/tiles.h"
#include "sinew/runtime/contact/field_kernel.h"

namespace sinew::runtime {
namespace {

using Field = ContactTable::Field;

// Smaller values of a window count as 0: their cubes would vanish.
constexpr float kLeastWindow = 1e-6f;
// Radius about the axis of a touch at which directions away from it begin to fade, in the field's unit: they have no
// limit on the axis itself.
constexpr float kAxisRadius = 0.05f;

float Dot(const float* a, const float* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
void Cross(const float* a, const float* b, float* to) {
  for (int k = 0; k < 3; ++k) to[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

// Fills x and the axes: where the vertex is about the axis (p, n) of the touch.
void PlaceAbout(const PosedField& posed, float distance, SeenVertex& seen) {
  const float* n = posed.push;
  float off[3];
  for (int k = 0; k < 3; ++k) off[k] = seen.z[k] - posed.center[k];
  const float height = Dot(n, off);
  float *e = seen.axes + 3, squared = kAxisRadius * kAxisRadius;
  for (int k = 0; k < 3; ++k) {
    e[k] = off[k] - height * n[k];
    squared += e[k] * e[k];
  }
  const float radius = std::sqrt(squared);
  for (int k = 0; k < 3; ++k) {
    seen.x[k] = seen.z[k];
    seen.axes[k] = n[k];
    e[k] /= radius;
  }
  Cross(n, e, seen.axes + 6);
  seen.x[3] = height;
  seen.x[4] = radius;
  seen.x[5] = distance;
}

// d window / d z-bar. gradient: of the distance.
void SlopeOf(const SeenVertex& seen, const float (&gradient)[3], float (&slope)[3]) {
  const float window = seen.posed->field->window, s = seen.x[5] <= 0 ? 1 : 1 - seen.x[5] / window;
  for (int k = 0; k < 3; ++k) slope[k] = -6 * s * (1 - s) / window * gradient[k];
}

// Displacement of a vertex and its gradient, both in model space.
struct Moved {
  float u[3] = {};
  float gradient[9] = {};  // d u / d x, row by row
};

// Adds a displacement of the collider's space to one of model space (equation 2: u = R r).
void AddTurned(const float (&R)[9], const float (&v)[3], float (&to)[3]) {
  for (int row = 0; row < 3; ++row) to[row] += R[row] * v[0] + R[3 + row] * v[1] + R[6 + row] * v[2];
}

// Adds R G R^T.
void AddTurned(const float (&R)[9], const float (&G)[9], float (&to)[9]) {
  float RG[9];
  for (int row = 0; row < 3; ++row) {
    for (int k = 0; k < 3; ++k) RG[3 * row + k] = R[row] * G[k] + R[3 + row] * G[3 + k] + R[6 + row] * G[6 + k];
  }
  for (int row = 0; row < 3; ++row) {
    for (int c = 0; c < 3; ++c) {
      for (int k = 0; k < 3; ++k) to[3 * row + c] += RG[3 * row + k] * R[3 * k + c];
    }
  }
}

// Point at which the field is evaluated. gradient: of the distance; null if no slopes are needed.
FieldPoint PointOf(const SeenVertex& seen, const Skinned& skinned, const float* gradient) {
  const Field& f = *seen.posed->field;
  FieldPoint point;
  for (uint32_t k = 0; k < ContactTable::kPlaceNumbers; ++k) {
    const float x = seen.x[k];
    point.x[k] = x < f.least[k] ? f.least[k] : x > f.most[k] ? f.most[k] : x;
    for (uint32_t c = 0; gradient != nullptr && c < 3; ++c) {
      const float slope = k < 3 ? (k == c ? 1.0f : 0.0f) : k < 5 ? seen.axes[3 * (k - 3) + c] : gradient[c];
      // A number that is clamped does not change.
      point.slopes[k][c] = point.x[k] == x ? slope : 0;
    }
  }
  point.influences = skinned.count;
  for (int j = 0; j < skinned.count; ++j) {
    point.units[j] = seen.posed->units_of(skinned.slots[j]);
    point.weights[j] = skinned.weight(j);
  }
  return point;
}

// Gradient of r n + s e + t n x e by z-bar. jacobian: of y = (r, s, t).
void SlopesOfTurned(const SeenVertex& seen, const float (&y)[3], const float (&jacobian)[9], float (&to)[9]) {
  const float *n = seen.axes, *e = seen.axes + 3, *t = seen.axes + 6;
  for (int k = 0; k < 3; ++k) {
    // How e and n x e turn from place to place.
    float de[3], dt[3];
    for (int c = 0; c < 3; ++c) de[c] = ((c == k ? 1.0f : 0.0f) - n[c] * n[k] - e[c] * e[k]) / seen.x[4];
    Cross(n, de, dt);
    for (int c = 0; c < 3; ++c) {
      to[3 * c + k] =
          n[c] * jacobian[k] + e[c] * jacobian[3 + k] + t[c] * jacobian[6 + k] + y[1] * de[c] + y[2] * dt[c];
    }
  }
}

// Adds `part` times the displacement of one field.
void AddField(const SeenVertex& seen, const Skinned& skinned, float part, bool with_gradient, Moved& moved) {
  const Field& f = *seen.posed->field;
  float y[3], jacobian[9], distance = 0, gradient[3];
  if (with_gradient) SampleDistance(*seen.posed, seen.z, &distance, gradient);
  EvaluateField(*seen.posed, PointOf(seen, skinned, with_gradient ? gradient : nullptr), y,
                with_gradient ? jacobian : nullptr);
  const float length = std::sqrt(Dot(y, y));
  const float clamp = length > f.largest ? f.largest / length : 1;
  const float factor = part * seen.share * seen.posed->gate * f.output * clamp;
  float r[3], v[3];
  for (int k = 0; k < 3; ++k) {
    r[k] = y[0] * seen.axes[k] + y[1] * seen.axes[3 + k] + y[2] * seen.axes[6 + k];
    v[k] = factor * seen.window * r[k];
  }
  AddTurned(seen.posed->R, v, moved.u);
  if (!with_gradient) return;
  float G[9], slope[3];
  SlopeOf(seen, gradient, slope);
  SlopesOfTurned(seen, y, jacobian, G);
  for (int k = 0; k < 9; ++k) G[k] = factor / f.unit * (seen.window * G[k] + r[k / 3] * slope[k % 3]);
  AddTurned(seen.posed->R, G, moved.gradient);
}

Moved Move(std::span<const SeenVertex> seen, const Skinned& skinned, bool with_gradient) {
  // Shares of the largest, whose cubes do not vanish.
  float most = 0, sum = 0;
  for (const SeenVertex& s : seen) most = std::fmax(most, s.window * s.posed->gate);
  const auto cube = [&](const SeenVertex& s) {
    const float q = s.window * s.posed->gate / most;
    return q * q * q;
  };
  for (const SeenVertex& s : seen) sum += cube(s);
  Moved moved;
  for (const SeenVertex& s : seen) {
    if (s.share > 0) AddField(s, skinned, cube(s) / sum, with_gradient, moved);
  }
  return moved;
}

void Scale(float (&v)[3], float factor) {
  for (float& x : v) x *= factor;
}

// Turns a normal, and a tangent if there is one, as a displacement with that gradient turns the surface. Both stay as
// they are where the displacement would fold it.
void Turn(const Moved& moved, Float3& normal, Float4* tangent) {
  float F[9];
  for (int k = 0; k < 9; ++k) F[k] = moved.gradient[k] + (k % 4 == 0 ? 1.0f : 0.0f);
  // Row c of the cofactor matrix is the cross product of the other two rows.
  float cofactor[9];
  for (int c = 0; c < 3; ++c) {
    const float *a = F + 3 * ((c + 1) % 3), *b = F + 3 * ((c + 2) % 3);
    for (int k = 0; k < 3; ++k) cofactor[3 * c + k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
  }
  const float determinant = F[0] * cofactor[0] + F[1] * cofactor[1] + F[2] * cofactor[2];
  float n[3];
  for (int c = 0; c < 3; ++c) {
    n[c] = cofactor[3 * c] * normal.x + cofactor[3 * c + 1] * normal.y + cofactor[3 * c + 2] * normal.z;
  }
  const float squared = Dot(n, n);
  if (!(determinant > 0) || !(squared > kTinySquared) || !(squared < 1e30f)) return;
  Scale(n, 1 / std::sqrt(squared));
  normal = {n[0], n[1], n[2]};
  if (tangent == nullptr) return;
  float a[3];
  for (int c = 0; c < 3; ++c) a[c] = F[3 * c] * tangent->x + F[3 * c + 1] * tangent->y + F[3 * c + 2] * tangent->z;
  const float along = Dot(a, n);
  for (int c = 0; c < 3; ++c) a[c] -= along * n[c];
  const float length = Dot(a, a);
  if (!(length > kTinySquared) || !(length < 1e30f)) return;
  Scale(a, 1 / std::sqrt(length));
  *tangent = {a[0], a[1], a[2], tangent->w};
}

// Moves a vertex that is still inside of the collider to its surface.
void PushOut(const SeenVertex& seen, Float3& p) {
  float z[3], distance = 0, gradient[3];
  CarryPoint(*seen.posed, p, z);
  if (!SampleDistance(*seen.posed, z, &distance, nullptr) || !(distance < 0)) return;
  SmoothGradient(*seen.posed, z, gradient);
  // Where the gradient is short, near the middle of the collider, so is the step.
  float out[3], u[3] = {};
  for (int k = 0; k < 3; ++k) out[k] = -distance * seen.share * seen.posed->field->unit * gradient[k];
  AddTurned(seen.posed->R, out, u);
  p = {p.x + u[0], p.y + u[1], p.z + u[2]};
}

// Moves one vertex. Returns whether it is outside of what was trained.
bool MoveVertex(std::span<const PosedField> fields, const Skinned& skinned, int v, const ContactStreams& streams) {
  SeenVertex seen[kMaxColliders];
  size_t count = 0;
  Float3& p = streams.positions[v];
  bool beyond = false;
  for (const PosedField& posed : fields) {
    if (!LookAt(posed, p, skinned, &seen[count])) continue;
    beyond |= seen[count].share < kFullShare;
    ++count;
  }
  if (count == 0) return false;
  const bool shaded = !streams.normals.empty();
  const Moved moved = Move({seen, count}, skinned, shaded);
  p = {p.x + moved.u[0], p.y + moved.u[1], p.z + moved.u[2]};
  for (size_t s = 0; s < count; ++s) {
    if (seen[s].posed->push_out) PushOut(seen[s], p);
  }
  if (shaded) Turn(moved, streams.normals[v], streams.tangents.empty() ? nullptr : &streams.tangents[v]);
  return beyond;
}

}  // namespace

bool LookAt(const PosedField& posed, const Float3& p, const Skinned& skinned, SeenVertex* seen) noexcept {
  if (!(posed.gate > 0) || !Contains(posed.box, p)) return false;
  CarryPoint(posed, p, seen->z);
  float distance = 0;
  if (!SampleDistance(posed, seen->z, &distance, nullptr)) return false;
  seen->window = ContactWindow(distance / posed.field->window);
  if (!(seen->window > kLeastWindow)) return false;
  seen->share = ShareOf(posed, skinned);
  seen->posed = &posed;
  PlaceAbout(posed, distance, *seen);
  return true;
}

bool MeetsWindow(std::span<const PosedField> fields, const Bounds& box) noexcept {
  for (const PosedField& posed : fields) {
    if (Overlap(posed.box, box)) return true;
  }
  return false;
}

bool ContactTile(std::span<const PosedField> fields, const SkinTable& skin, int t,
                 const ContactStreams& streams) noexcept {
  bool beyond = false;
  const auto of_run = [&](int influences, const uint16_t* slots, const float* weights, const uint16_t* order, int count,
                          bool) {
    for (int i = 0; i < count; ++i) {
      const size_t first = static_cast<size_t>(i) * influences;
      beyond |= MoveVertex(fields, {slots + first, weights == nullptr ? nullptr : weights + first, influences},
                           order[i], streams);
    }
  };
  ForEachRun(skin, t, of_run);
  return beyond;
}

}  // namespace sinew::runtime
