// The few plain types that cross the runtime's boundary. They are laid out as engines lay them out: packed floats.
// Conventions (docs/conventions.md): metres, right-handed, Y up, column vectors, quaternions (x, y, z, w).
#ifndef SINEW_RUNTIME_BASE_MATH_H_
#define SINEW_RUNTIME_BASE_MATH_H_

namespace sinew::runtime {

struct Float3 {
  float x = 0, y = 0, z = 0;
};

// A tangent as glTF stores it: a direction, and in w the sign of the bitangent w * cross(normal, tangent).
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

// A 4x4 matrix, column-major as glTF and the graphics interfaces have it; the bottom row (m[3], m[7], m[11], m[15]) is
// always 0, 0, 0, 1. One cache line each: skinning loads whole matrices, and one that straddles two lines costs twice.
struct alignas(64) Affine {
  float m[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
};

// Below this squared length there is no direction to speak of: such vectors are made no longer than that length's
// inverse makes them, and zero stays zero.
constexpr float kTinySquared = 1e-30f;

// Axis-aligned. A box of no points has min > max.
struct Bounds {
  Float3 min, max;
};

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_BASE_MATH_H_
