// Plain vector, transform and matrix types at the runtime's interface, laid out as engines lay them out: packed floats.
// Conventions (docs/conventions.md): metres, right-handed, Y up, column vectors, quaternions (x, y, z, w).
#ifndef SINEW_RUNTIME_BASE_MATH_H_
#define SINEW_RUNTIME_BASE_MATH_H_

namespace sinew::runtime {

struct Float3 {
  float x = 0, y = 0, z = 0;
};

// A tangent as glTF stores it: x, y, z is its direction, w the sign of the bitangent w * cross(normal, tangent).
struct Float4 {
  float x = 0, y = 0, z = 0, w = 0;
};

struct Quaternion {
  float x = 0, y = 0, z = 0, w = 1;
};

// Translation, rotation and scale of a joint in its parent's frame: x -> translation + rotation * (scale * x).
struct Transform {
  Float3 translation = {};
  Quaternion rotation = {};
  Float3 scale{1, 1, 1};
};

// A 4x4 matrix, column-major as in glTF and the graphics APIs; the bottom row (m[3], m[7], m[11], m[15]) is always 0,
// 0, 0, 1. Aligned to one cache line: skinning loads whole matrices, and one that straddles two lines costs twice.
struct alignas(64) Affine {
  float m[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
};

// Smallest squared length by which vectors are normalised. A shorter vector has no reliable direction: it is divided by
// the square root of this number instead of its own length, and zero stays zero.
constexpr float kTinySquared = 1e-30f;

// An axis-aligned bounding box. That of no points has min > max.
struct Bounds {
  Float3 min, max;
};

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_BASE_MATH_H_
