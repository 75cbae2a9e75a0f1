#include "sinew/runtime/contact/contact_tile.h"

#include <cmath>

#include "sinew/runtime/base/half.h"
#include "sinew/runtime/base/tiles.h"
#include "sinew/runtime/contact/field_kernel.h"

namespace sinew::runtime {
namespace {

using Field = ContactTable::Field;

// Smaller values of a window count as 0: their cubes would vanish.
constexpr float kLeastWindow = 1e-6f;
// Vertices whose joints get less of the field than this are reported as outside of what was trained.
constexpr float kFullShare = 0.999f;

bool Overlap(const Bounds& a, const Bounds& b) {
  return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y && a.min.z <= b.max.z &&
         b.min.z <= a.max.z;
}
bool Contains(const Bounds& box, const Float3& p) { return Overlap(box, {p, p}); }

// What one field sees of one vertex.
struct Seen {
  const PosedField* posed;
  float z[3];      // z-bar
  float distance;  // to the collider, in the field's unit
  float window;    // above 0
  float share;     // factor besides the window: how well this was trained, 0 to 1
};

// Influences of a vertex.
struct Skinned {
  const uint16_t* slots;
  const float* weights;  // null: one influence
  int count;
  float weight(int j) const { return weights == nullptr ? 1 : weights[j]; }
};

// Returns 1 up to the largest trained depth and 0 at twice of it.
float DepthShare(const Field& field, float distance) {
  const float over = -distance / field.depth - 1;
  const float s = over <= 0 ? 1 : over < 1 ? 1 - over : 0;
  return s * s * (3 - 2 * s);
}

// Looks at a vertex from a field's collider. Returns false if it is not in the window.
bool Look(const PosedField& posed, const Float3& p, const Skinned& skinned, Seen& seen) {
  if (!Contains(posed.box, p)) return false;
  const Field& f = *posed.field;
  const float off[3] = {p.x - posed.t[0], p.y - posed.t[1], p.z - posed.t[2]};
  for (int k = 0; k < 3; ++k) {
    const float* axis = posed.R + 3 * k;
    seen.z[k] = (axis[0] * off[0] + axis[1] * off[1] + axis[2] * off[2]) * posed.per_unit;
  }
  if (!SampleDistance(posed, seen.z, &seen.distance, nullptr)) return false;
  seen.window = ContactWindow(seen.distance / f.window);
  if (!(seen.window > kLeastWindow)) return false;
  seen.share = 0;
  for (int j = 0; j < skinned.count; ++j) seen.share += skinned.weight(j) * posed.shares[skinned.slots[j]];
  seen.share *= DepthShare(f, seen.distance);
  seen.posed = &posed;
  return true;
}

// d window / d z-bar.
void SlopeOf(const Seen& seen, float (&slope)[3]) {
  float distance = 0, gradient[3] = {};
  SampleDistance(*seen.posed, seen.z, &distance, gradient);
  const float window = seen.posed->field->window, s = distance <= 0 ? 1 : 1 - distance / window;
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

FieldPoint PointOf(const Seen& seen, const Skinned& skinned) {
  const Field& f = *seen.posed->field;
  FieldPoint point;
  for (int k = 0; k < 3; ++k) {
    const float z = seen.z[k];
    point.z[k] = z < f.least[k] ? f.least[k] : z > f.most[k] ? f.most[k] : z;
  }
  point.influences = skinned.count;
  for (int j = 0; j < skinned.count; ++j) {
    point.units[j] = seen.posed->units_of(skinned.slots[j]);
    point.weights[j] = skinned.weight(j);
  }
  return point;
}

// Adds `part` times the displacement of one field.
void AddField(const Seen& seen, const Skinned& skinned, float part, bool with_gradient, Moved& moved) {
  const Field& f = *seen.posed->field;
  float r[3], jacobian[9];
  const FieldPoint point = PointOf(seen, skinned);
  EvaluateField(*seen.posed, point, r, with_gradient ? jacobian : nullptr);
  const float length = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
  const float clamp = length > f.largest ? f.largest / length : 1;
  const float factor = part * seen.share * f.output * clamp;
  const float v[3] = {factor * seen.window * r[0], factor * seen.window * r[1], factor * seen.window * r[2]};
  AddTurned(seen.posed->R, v, moved.u);
  if (!with_gradient) return;
  float G[9], slope[3];
  SlopeOf(seen, slope);
  for (int c = 0; c < 3; ++c) {
    for (int k = 0; k < 3; ++k) {
      // Where z-bar is clamped, the field is constant along that axis.
      const float along = point.z[k] == seen.z[k] ? jacobian[3 * c + k] : 0;
      G[3 * c + k] = factor / f.unit * (seen.window * along + r[c] * slope[k]);
    }
  }
  AddTurned(seen.posed->R, G, moved.gradient);
}

Moved Move(std::span<const Seen> seen, const Skinned& skinned, bool with_gradient) {
  float sum = 0;
  for (const Seen& s : seen) sum += s.window * s.window * s.window;
  Moved moved;
  for (const Seen& s : seen) {
    if (s.share > 0) AddField(s, skinned, s.window * s.window * s.window / sum, with_gradient, moved);
  }
  return moved;
}

void Scale(float (&v)[3], float factor) {
  for (float& x : v) x *= factor;
}
float Dot(const float (&a)[3], const float (&b)[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

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

// Moves one vertex. Returns whether it is outside of what was trained.
bool MoveVertex(std::span<const PosedField> fields, const Skinned& skinned, int v, const ContactStreams& streams) {
  Seen seen[kMaxColliders];
  size_t count = 0;
  Float3& p = streams.positions[v];
  bool beyond = false;
  for (const PosedField& posed : fields) {
    if (!Look(posed, p, skinned, seen[count])) continue;
    beyond |= seen[count].share < kFullShare;
    ++count;
  }
  if (count == 0) return false;
  const bool shaded = !streams.normals.empty();
  const Moved moved = Move({seen, count}, skinned, shaded);
  p = {p.x + moved.u[0], p.y + moved.u[1], p.z + moved.u[2]};
  if (shaded) Turn(moved, streams.normals[v], streams.tangents.empty() ? nullptr : &streams.tangents[v]);
  return beyond;
}

}  // namespace

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
