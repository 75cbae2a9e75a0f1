// Skinning of one vertex in plain scalar code, which defines what every skinning kernel computes. The references loop
// over it, and CPUs without vectors run it.
#ifndef SINEW_RUNTIME_SKIN_VERTEX_H_
#define SINEW_RUNTIME_SKIN_VERTEX_H_

#include <cmath>
#include <cstdint>
#include <initializer_list>

#include "sinew/runtime/skin/skin.h"

namespace sinew::runtime::scalar {

struct Matrix3 {
  Float3 x, y, z;  // columns
};

inline Float3 Add(const Float3& a, const Float3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Float3 Sub(const Float3& a, const Float3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Float3 Mul(const Float3& a, float s) { return {a.x * s, a.y * s, a.z * s}; }
inline float Dot(const Float3& a, const Float3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Float3 Cross(const Float3& a, const Float3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Float3 Mul(const Matrix3& m, const Float3& v) {
  return {m.x.x * v.x + m.y.x * v.y + m.z.x * v.z, m.x.y * v.x + m.y.y * v.y + m.z.y * v.z,
          m.x.z * v.x + m.y.z * v.y + m.z.z * v.z};
}
// A matrix for normals, up to a positive factor: the inverse transpose of a linear part.
struct NormalTurn {
  Matrix3 matrix;
  float handedness;  // -1 if the linear part mirrors, otherwise 1
};
// Computes the cofactors of m, times the sign of its determinant. m is scaled first, so that no product overflows or
// vanishes.
inline NormalTurn OutwardCofactors(const Matrix3& m) {
  float largest = 1e-30f;
  for (const Float3& column : {m.x, m.y, m.z}) {
    largest = std::fmax(largest, std::fmax(std::fabs(column.x), std::fmax(std::fabs(column.y), std::fabs(column.z))));
  }
  const float scale = 1 / largest;
  const Matrix3 a{Mul(m.x, scale), Mul(m.y, scale), Mul(m.z, scale)};
  const float handedness = Dot(a.x, Cross(a.y, a.z)) < 0 ? -1.0f : 1.0f;
  return {{Mul(Cross(a.y, a.z), handedness), Mul(Cross(a.z, a.x), handedness), Mul(Cross(a.x, a.y), handedness)},
          handedness};
}
inline Float3 Normalized(const Float3& v) {
  const float squared = Dot(v, v);
  return Mul(v, 1 / std::sqrt(squared > kTinySquared ? squared : kTinySquared));
}

inline Float3 RestPosition(const SkinStreams& s, int v) {
  return s.pre_displacements.empty() ? s.rest_positions[v] : Add(s.rest_positions[v], s.pre_displacements[v]);
}
inline void StorePosition(const SkinStreams& s, int v, const Float3& position) {
  s.positions[v] = s.post_displacements.empty() ? position : Add(position, s.post_displacements[v]);
}
inline void StoreTangent(const SkinStreams& s, int v, const Float3& direction, float handedness) {
  const Float3 unit = Normalized(direction);
  s.tangents[v] = {unit.x, unit.y, unit.z, handedness * s.rest_tangents[v].w};
}
inline Float3 RestTangent(const SkinStreams& s, int v) {
  const Float4& t = s.rest_tangents[v];
  return {t.x, t.y, t.z};
}

inline void LinearBlend(const LinearBlendJob& job, int v, const uint16_t* joints, const float* weights,
                        int influences) {
  float m[16] = {};
  for (int k = 0; k < influences; ++k) {
    const float* joint = job.matrices[joints[k]].m;
    const float weight = weights == nullptr ? 1 : weights[k];
    for (int e = 0; e < 16; ++e) m[e] += weight * joint[e];
  }
  const SkinStreams& s = job.streams;
  const Matrix3 linear{{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}};
  StorePosition(s, v, Add(Mul(linear, RestPosition(s, v)), {m[12], m[13], m[14]}));
  const NormalTurn turn =
      job.normal_matrix == NormalMatrix::kCofactor ? OutwardCofactors(linear) : NormalTurn{linear, 1};
  if (!s.normals.empty()) s.normals[v] = Normalized(Mul(turn.matrix, s.rest_normals[v]));
  if (!s.tangents.empty()) StoreTangent(s, v, Mul(linear, RestTangent(s, v)), turn.handedness);
}

// Makes a tangent perpendicular to its vertex's normal, and unit length; w is kept.
inline void FollowNormal(const Float3& n, Float4& tangent) {
  const Float3 t{tangent.x, tangent.y, tangent.z};
  Float3 across = Sub(t, Mul(n, Dot(n, t)));
  // If less than a thousandth of its length is left, that is rounding, not a direction.
  if (Dot(across, across) <= 1e-6f * Dot(t, t))
    across = Cross(n, std::fabs(n.x) < 0.5f ? Float3{1, 0, 0} : Float3{0, 1, 0});
  const Float3 unit = Normalized(across);
  tangent = {unit.x, unit.y, unit.z, tangent.w};
}

// Rotates v: q v q* for a unit quaternion q with vector part u and scalar part w.
inline Float3 Rotate(const Float3& u, float w, const Float3& v) {
  const Float3 t = Mul(Cross(u, v), 2);
  return Add(Add(v, Mul(t, w)), Cross(u, t));
}

inline void DualQuaternion(const DualQuaternionJob& job, int v, const uint16_t* joints, const float* weights,
                           int influences) {
  float b[20] = {};  // real, dual, stretch
  const float* first = &job.joints[joints[0]].real.x;
  for (int k = 0; k < influences; ++k) {
    const RigidStretch& joint = job.joints[joints[k]];
    const float* real = &joint.real.x;
    const float weight = weights == nullptr ? 1 : weights[k];
    const float dot = first[0] * real[0] + first[1] * real[1] + first[2] * real[2] + first[3] * real[3];
    const float turned = dot < 0 ? -weight : weight;
    for (int e = 0; e < 4; ++e) b[e] += turned * real[e];
    for (int e = 0; e < 4; ++e) b[4 + e] += turned * joint.dual[e];
    for (int e = 0; e < 12; ++e) b[8 + e] += weight * joint.stretch[e];
  }
  const float scale = 1 / std::sqrt(b[0] * b[0] + b[1] * b[1] + b[2] * b[2] + b[3] * b[3]);
  for (int e = 0; e < 8; ++e) b[e] *= scale;
  const Float3 u{b[0], b[1], b[2]}, du{b[4], b[5], b[6]};
  const float w = b[3], dw = b[7];
  const Float3 translation = Mul(Add(Sub(Mul(du, w), Mul(u, dw)), Cross(u, du)), 2);
  const Matrix3 stretch{{b[8], b[9], b[10]}, {b[12], b[13], b[14]}, {b[16], b[17], b[18]}};

  const SkinStreams& s = job.streams;
  StorePosition(s, v, Add(Rotate(u, w, Mul(stretch, RestPosition(s, v))), translation));
  const NormalTurn turn = OutwardCofactors(stretch);
  if (!s.normals.empty()) s.normals[v] = Normalized(Rotate(u, w, Mul(turn.matrix, s.rest_normals[v])));
  if (!s.tangents.empty()) StoreTangent(s, v, Rotate(u, w, Mul(stretch, RestTangent(s, v))), turn.handedness);
}

}  // namespace sinew::runtime::scalar

#endif  // SINEW_RUNTIME_SKIN_VERTEX_H_
