// Split of a matrix into its nearest rotation and a stretch. The rotation nearest to a matrix A is the R that maximises
// trace(R^T A). As a function of R's quaternion q that is q^T K q with a symmetric 4x4 matrix K that is linear in A
// (Davenport's), so q is the eigenvector of K's largest eigenvalue. Unlike the usual iterations for the polar
// decomposition it needs no inverse and always gives a proper rotation.
#include <cmath>

#include "sinew/runtime/skin/skin.h"

namespace sinew::runtime {
namespace {

// Entry of the linear part of a column-major skinning matrix: A(row, column) = m[4 * column + row].
float Entry(const float* m, int row, int column) { return m[4 * column + row]; }

// Whether A^T A = 1 and det A > 0, up to rounding.
bool IsRotation(const float* m) {
  constexpr float kTolerance = 1e-5f;
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      float dot = 0;
      for (int row = 0; row < 3; ++row) dot += Entry(m, row, i) * Entry(m, row, j);
      if (!(std::fabs(dot - (i == j ? 1.0f : 0.0f)) < kTolerance)) return false;
    }
  }
  const float determinant =
      m[0] * (m[5] * m[10] - m[6] * m[9]) - m[4] * (m[1] * m[10] - m[2] * m[9]) + m[8] * (m[1] * m[6] - m[2] * m[5]);
  return determinant > 0;
}

// Applies one Jacobi rotation in the plane (p, q) to the symmetric K, and accumulates it in V's columns.
void Rotate(double k[4][4], double v[4][4], int p, int q) {
  if (k[p][q] == 0) return;
  const double theta = (k[q][q] - k[p][p]) / (2 * k[p][q]);
  const double t = (theta >= 0 ? 1 : -1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1), s = t * c;
  for (int i = 0; i < 4; ++i) {
    const double a = k[i][p], b = k[i][q];
    k[i][p] = c * a - s * b;
    k[i][q] = s * a + c * b;
  }
  for (int i = 0; i < 4; ++i) {
    const double a = k[p][i], b = k[q][i];
    k[p][i] = c * a - s * b;
    k[q][i] = s * a + c * b;
  }
  for (int i = 0; i < 4; ++i) {
    const double a = v[i][p], b = v[i][q];
    v[i][p] = c * a - s * b;
    v[i][q] = s * a + c * b;
  }
}

Quaternion NearestRotation(const float* m) {
  const double xx = Entry(m, 0, 0), xy = Entry(m, 0, 1), xz = Entry(m, 0, 2);
  const double yx = Entry(m, 1, 0), yy = Entry(m, 1, 1), yz = Entry(m, 1, 2);
  const double zx = Entry(m, 2, 0), zy = Entry(m, 2, 1), zz = Entry(m, 2, 2);
  double k[4][4] = {{xx - yy - zz, xy + yx, xz + zx, zy - yz},
                    {xy + yx, yy - xx - zz, yz + zy, xz - zx},
                    {xz + zx, yz + zy, zz - xx - yy, yx - xy},
                    {zy - yz, xz - zx, yx - xy, xx + yy + zz}};
  double v[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  // Convergence is quadratic: five sweeps reach double precision, the rest of the bound is margin.
  constexpr int kSweeps = 7;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (int p = 0; p < 3; ++p) {
      for (int q = p + 1; q < 4; ++q) Rotate(k, v, p, q);
    }
  }
  int best = 3;
  for (int i = 2; i >= 0; --i) {
    if (k[i][i] > k[best][best]) best = i;
  }
  return {static_cast<float>(v[0][best]), static_cast<float>(v[1][best]), static_cast<float>(v[2][best]),
          static_cast<float>(v[3][best])};
}

// Converts a rotation matrix by way of the largest of the four squared components (Shepperd).
Quaternion ToQuaternion(const float* m) {
  const float squared[4] = {1 + m[0] - m[5] - m[10], 1 - m[0] + m[5] - m[10], 1 - m[0] - m[5] + m[10],
                            1 + m[0] + m[5] + m[10]};
  int largest = 3;
  for (int i = 0; i < 3; ++i) {
    if (squared[i] > squared[largest]) largest = i;
  }
  const float k = 0.5f / std::sqrt(squared[largest]);
  switch (largest) {
    case 0:
      return {k * squared[0], k * (m[1] + m[4]), k * (m[2] + m[8]), k * (m[6] - m[9])};
    case 1:
      return {k * (m[1] + m[4]), k * squared[1], k * (m[6] + m[9]), k * (m[8] - m[2])};
    case 2:
      return {k * (m[2] + m[8]), k * (m[6] + m[9]), k * squared[2], k * (m[1] - m[4])};
    default:
      return {k * (m[6] - m[9]), k * (m[8] - m[2]), k * (m[1] - m[4]), k * squared[3]};
  }
}

// Computes R^T A, with R's columns written out from the unit quaternion.
void StretchLeftBy(const Quaternion& q, const float* m, float* stretch) {
  const float columns[3][3] = {
      {1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y + q.w * q.z), 2 * (q.x * q.z - q.w * q.y)},
      {2 * (q.x * q.y - q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z + q.w * q.x)},
      {2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y)}};
  for (int column = 0; column < 3; ++column) {
    for (int row = 0; row < 3; ++row) {
      float sum = 0;
      for (int i = 0; i < 3; ++i) sum += columns[row][i] * Entry(m, i, column);
      stretch[4 * column + row] = sum;
    }
  }
}

RigidStretch Split(const float* m) {
  RigidStretch joint;
  if (IsRotation(m)) {
    joint.real = ToQuaternion(m);
  } else {
    joint.real = NearestRotation(m);
    StretchLeftBy(joint.real, m, joint.stretch);
  }
  const Quaternion& q = joint.real;
  const float x = m[12] / 2, y = m[13] / 2, z = m[14] / 2;
  joint.dual[0] = x * q.w + y * q.z - z * q.y;
  joint.dual[1] = y * q.w + z * q.x - x * q.z;
  joint.dual[2] = z * q.w + x * q.y - y * q.x;
  joint.dual[3] = -x * q.x - y * q.y - z * q.z;
  return joint;
}

}  // namespace

Status RigidStretchJob::Validate() const noexcept {
  return joints.size() >= matrices.size() ? Status::kOk : Status::kInvalidArgument;
}

Status RigidStretchJob::Run() const noexcept {
  if (const Status status = Validate(); status != Status::kOk) return status;
  for (size_t j = 0; j < matrices.size(); ++j) joints[j] = Split(matrices[j].m);
  return Status::kOk;
}

}  // namespace sinew::runtime
