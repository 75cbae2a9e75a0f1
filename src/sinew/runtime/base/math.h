// The few plain types that cross the runtime's boundary. They are laid out as engines lay them out: packed floats.
// Conventions (docs/conventions.md): metres, right-handed, Y up, column vectors, quaternions (x, y, z, w).
#ifndef SINEW_RUNTIME_BASE_MATH_H_
#define SINEW_RUNTIME_BASE_MATH_H_

namespace sinew::runtime {

struct Float3 {
  float x = 0, y = 0, z = 0;
};

struct Quaternion {
  float x = 0, y = 0, z = 0, w = 1;
};

// Translation, rotation and scale of a joint in its parent's frame: x -> translation + rotation * (scale * x).
struct Transform {
  Float3 translation;
  Quaternion rotation;
  Float3 scale{1, 1, 1};
};

// The upper three rows of a 4x4 matrix, row-major: y_i = m[4 i] x + m[4 i + 1] y + m[4 i + 2] z + m[4 i + 3].
struct Affine {
  float m[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
};

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_BASE_MATH_H_
