// What the linear part of a skinning matrix does to a surface: which normal matrix it needs, and whether it mirrors.
#ifndef SINEW_RUNTIME_SKIN_LINEAR_PART_H_
#define SINEW_RUNTIME_SKIN_LINEAR_PART_H_

#include <cmath>

#include "sinew/runtime/base/math.h"

namespace sinew::runtime {

enum class LinearPart {
  kEven,     // turns and scales alike along all axes: NormalMatrix::kLinear is right
  kUneven,   // scales unevenly, shears or flattens
  kMirrored  // has a negative determinant
};

inline LinearPart LinearPartOf(const Affine& matrix) {
  const float* m = matrix.m;
  // In doubles, in which the determinant of the largest matrices does not overflow.
  double dots[3][3];
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      dots[i][j] = 0;
      for (int row = 0; row < 3; ++row) dots[i][j] += static_cast<double>(m[4 * i + row]) * m[4 * j + row];
    }
  }
  const double determinant = m[0] * (static_cast<double>(m[5]) * m[10] - static_cast<double>(m[6]) * m[9]) -
                             m[4] * (static_cast<double>(m[1]) * m[10] - static_cast<double>(m[2]) * m[9]) +
                             m[8] * (static_cast<double>(m[1]) * m[6] - static_cast<double>(m[2]) * m[5]);
  if (determinant < 0) return LinearPart::kMirrored;
  double largest = dots[0][0] > dots[1][1] ? dots[0][0] : dots[1][1];
  largest = dots[2][2] > largest ? dots[2][2] : largest;
  // Far more than products of many rotations are off by rounding, and a normal is off by less than 0.02 degrees.
  const double off = 1e-3 * largest;
  // Squares of shorter columns are too small for normals to be scaled to unit length by them.
  bool even = determinant > 0 && largest > 1e-20;
  for (int i = 0; i < 3; ++i) {
    even &= largest - dots[i][i] <= off;
    for (int j = i + 1; j < 3; ++j) even &= std::fabs(dots[i][j]) <= off;
  }
  return even ? LinearPart::kEven : LinearPart::kUneven;
}

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_SKIN_LINEAR_PART_H_
