// Stable Neo-Hookean material in space: B. Smith, F. de Goes, T. Kim, "Stable Neo-Hookean Flesh Simulation", 2018. The
// energy density of a deformation gradient, its stress and its projected Hessian, for dynamics.
//
//   Psi = mu/2 (I_C - 3) + lambda/2 (J - alpha)^2 - mu/2 log(I_C + 1)             (equation 14)
//   alpha = 1 + mu/lambda - mu/(4 lambda),  I_C = |F|^2,  J = det F
//
// offline/elasticity/stable_neo_hookean.h is the same with Eigen; a test holds the two against each other.
#ifndef SINEW_RUNTIME_KERNELS_SOLID_NEO_HOOKEAN_H_
#define SINEW_RUNTIME_KERNELS_SOLID_NEO_HOOKEAN_H_

#include <cmath>

#include "sinew/runtime/kernels/neo_hookean.h"
#include "sinew/runtime/kernels/square_matrix.h"

namespace sinew::runtime {

using SolidMatrix = SquareMatrix<3>;

inline double SquaredNorm(const SolidMatrix& F) {
  double sum = 0;
  for (const auto& row : F.at) sum += row[0] * row[0] + row[1] * row[1] + row[2] * row[2];
  return sum;
}

// dJ/dF.
inline SolidMatrix Cofactors(const SolidMatrix& F) {
  SolidMatrix C;
  for (int i = 0; i < 3; ++i) {
    const double *a = F.at[(i + 1) % 3], *b = F.at[(i + 2) % 3];
    C.at[i][0] = a[1] * b[2] - a[2] * b[1];
    C.at[i][1] = a[2] * b[0] - a[0] * b[2];
    C.at[i][2] = a[0] * b[1] - a[1] * b[0];
  }
  return C;
}

inline double Determinant(const SolidMatrix& F) {
  const double *a = F.at[0], *b = F.at[1], *c = F.at[2];
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// Energy density Psi minus its value at rest, in joule per cubic metre; exactly 0 at rest. With
//   lambda/2 (J - alpha)^2 = lambda/2 (J - 1)^2 - 3/4 mu (J - 1) + constant
// no large constants cancel.
inline double SolidEnergy(const NeoHookean& material, const SolidMatrix& F) {
  const double above = SquaredNorm(F) - 3, j = Determinant(F) - 1;
  return 0.5 * material.mu * (above - std::log1p(above / 4)) + j * (0.5 * material.lambda * j - 0.75 * material.mu);
}

// First Piola-Kirchhoff stress dPsi/dF.
inline SolidMatrix SolidStress(const NeoHookean& material, const SolidMatrix& F) {
  const double I_C = SquaredNorm(F), scale = material.mu * (I_C / (I_C + 1));
  const double pressure = PressureOf(material, Determinant(F));
  SolidMatrix P = Cofactors(F);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) P.at[i][j] = scale * F.at[i][j] + pressure * P.at[i][j];
  }
  return P;
}

// Decomposition F = U diag(sigma) V' with rotations U and V, so that a reflection shows in the sign of the last sigma.
struct SolidSvd {
  SolidMatrix U, V;
  double sigma[3] = {};  // in descending order, up to rounding
};

namespace solid_detail {

constexpr int kSweeps = 16;  // four are usual
constexpr double kEpsilon = 1e-16;

inline double Dot(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline void Cross(const double* a, const double* b, double* out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

// Turns two vectors in the plane that they span.
inline void Turn(double cosine, double sine, double* p, double* q) {
  for (int k = 0; k < 3; ++k) {
    const double old = p[k];
    p[k] = cosine * old - sine * q[k];
    q[k] = sine * old + cosine * q[k];
  }
}

// Makes rows p and q of B orthogonal, and turns those of V with them. Returns false if they are already.
inline bool MakeOrthogonal(SolidMatrix& B, SolidMatrix& V, int p, int q) {
  const double a = Dot(B.at[p], B.at[p]), b = Dot(B.at[q], B.at[q]), c = Dot(B.at[p], B.at[q]);
  if (!(c * c > kEpsilon * kEpsilon * a * b)) return false;
  // Tangent of the angle: of the two solutions, the one below 45 degrees.
  const double between = b - a;
  const double t = 2 * c / (between + std::copysign(std::sqrt(between * between + 4 * c * c), between));
  const double cosine = 1 / std::sqrt(1 + t * t), sine = cosine * t;
  Turn(cosine, sine, B.at[p], B.at[q]);
  Turn(cosine, sine, V.at[p], V.at[q]);
  return true;
}

// Sets u to the unit vector along the part of v that is orthogonal to the unit vector `other`, or to any unit vector
// that is orthogonal to it.
inline void OrthogonalUnit(const double* v, const double* other, double scale, double* u) {
  const double along = Dot(v, other);
  for (int k = 0; k < 3; ++k) u[k] = v[k] - along * other[k];
  double length = std::sqrt(Dot(u, u));
  if (!(length > kEpsilon * scale)) {
    const int least = std::fabs(other[0]) < std::fabs(other[1]) ? (std::fabs(other[0]) < std::fabs(other[2]) ? 0 : 2)
                                                                : (std::fabs(other[1]) < std::fabs(other[2]) ? 1 : 2);
    double axis[3] = {0, 0, 0};
    axis[least] = 1;
    Cross(axis, other, u);
    length = std::sqrt(Dot(u, u));
  }
  for (int k = 0; k < 3; ++k) u[k] /= length;
}

}  // namespace solid_detail

// By one-sided Jacobi rotations: exact to rounding for every finite F, also for those of lower rank.
inline SolidSvd ComputeSolidSvd(const SolidMatrix& F) {
  namespace d = solid_detail;
  // Rows here are columns of F and V.
  SolidMatrix B = Transpose(F), V = SolidMatrix::Identity(), U;
  bool turned = true;
  for (int sweep = 0; sweep < d::kSweeps && turned; ++sweep) {
    turned = d::MakeOrthogonal(B, V, 0, 1);
    turned |= d::MakeOrthogonal(B, V, 0, 2);
    turned |= d::MakeOrthogonal(B, V, 1, 2);
  }
  constexpr int kPairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  for (const auto& pair : kPairs) {
    if (d::Dot(B.at[pair[0]], B.at[pair[0]]) >= d::Dot(B.at[pair[1]], B.at[pair[1]])) continue;
    // A quarter turn exchanges them and keeps the determinant.
    d::Turn(0, -1, B.at[pair[0]], B.at[pair[1]]);
    d::Turn(0, -1, V.at[pair[0]], V.at[pair[1]]);
  }
  SolidSvd svd;
  const double largest = std::sqrt(d::Dot(B.at[0], B.at[0]));
  for (int k = 0; k < 3; ++k) U.at[0][k] = largest > 0 ? B.at[0][k] / largest : (k == 0 ? 1 : 0);
  d::OrthogonalUnit(B.at[1], U.at[0], largest, U.at[1]);
  d::Cross(U.at[0], U.at[1], U.at[2]);
  svd.sigma[0] = largest;
  svd.sigma[1] = d::Dot(U.at[1], B.at[1]);
  svd.sigma[2] = d::Dot(U.at[2], B.at[2]);
  svd.U = Transpose(U);
  svd.V = Transpose(V);
  return svd;
}

namespace solid_detail {

// Sets negative eigenvalues of a symmetric matrix to 0, by cyclic Jacobi rotations: A = Q' diag(D) Q.
inline SolidMatrix ProjectSymmetric(const SolidMatrix& A) {
  SolidMatrix D = A, Q = SolidMatrix::Identity();
  double scale = 0;
  for (const auto& row : A.at) {
    for (const double entry : row) scale = std::fabs(entry) > scale ? std::fabs(entry) : scale;
  }
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    bool turned = false;
    for (int p = 0; p < 2; ++p) {
      for (int q = p + 1; q < 3; ++q) {
        const double off = D.at[p][q];
        if (!(std::fabs(off) > kEpsilon * scale)) continue;
        turned = true;
        const double between = (D.at[q][q] - D.at[p][p]) / (2 * off);
        const double t = std::copysign(1, between) / (std::fabs(between) + std::sqrt(between * between + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        for (auto& row : D.at) {
          const double old = row[p];
          row[p] = c * old - s * row[q];
          row[q] = s * old + c * row[q];
        }
        Turn(c, s, D.at[p], D.at[q]);
        Turn(c, s, Q.at[p], Q.at[q]);
      }
    }
    if (!turned) break;
  }
  SolidMatrix projected;
  for (int k = 0; k < 3; ++k) {
    const double value = D.at[k][k] > 0 ? D.at[k][k] : 0;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) projected.at[i][j] += value * Q.at[k][i] * Q.at[k][j];
    }
  }
  return projected;
}

}  // namespace solid_detail

// Hessian projected to positive semi-definite, in the frame of F's singular vectors: with dF = U D V',
//   dF : H : dF = sum_ij scaling_ij D_ii D_jj
//               + sum_k same_k (D_ij^2 + D_ji^2) + 2 swapped_k D_ij D_ji,   i < j the two indices other than k.
struct SolidSpectrum {
  SolidMatrix U, V, scaling;
  double same[3] = {}, swapped[3] = {};
};

// Follows the paper's eigenanalysis (section 4): a matrix of the three scalings and, per pair of axes, a twist
// (antisymmetric) and a flip (symmetric).
inline SolidSpectrum SolidProject(const NeoHookean& material, const SolidMatrix& F) {
  const SolidSvd svd = ComputeSolidSvd(F);
  const double* s = svd.sigma;
  const double I_C = s[0] * s[0] + s[1] * s[1] + s[2] * s[2], J = s[0] * s[1] * s[2];
  const double pressure = PressureOf(material, J);
  const double mu_T = material.mu * I_C / (I_C + 1), mu_F = 2 * material.mu / ((I_C + 1) * (I_C + 1));
  const double g[3] = {s[1] * s[2], s[2] * s[0], s[0] * s[1]};
  SolidSpectrum spectrum{.U = svd.U, .V = svd.V, .scaling = {}};
  SolidMatrix A;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) A.at[i][j] = mu_F * s[i] * s[j] + material.lambda * g[i] * g[j];
  }
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    A.at[k][k] += mu_T;
    A.at[i][j] += pressure * s[k];
    A.at[j][i] += pressure * s[k];
    const double twist = mu_T + pressure * s[k] > 0 ? mu_T + pressure * s[k] : 0;
    const double flip = mu_T - pressure * s[k] > 0 ? mu_T - pressure * s[k] : 0;
    spectrum.same[k] = 0.5 * (twist + flip);
    spectrum.swapped[k] = 0.5 * (flip - twist);
  }
  spectrum.scaling = solid_detail::ProjectSymmetric(A);
  return spectrum;
}

// Block of the Hessian between two directions p and q of dF = a p' and dF = b q', which must be given as V' p and V' q:
// a' block b = dF(a, p) : H : dF(b, q).
inline SolidMatrix SolidBlock(const SolidSpectrum& s, const double p[3], const double q[3]) {
  SolidMatrix block;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      block.at[i][j] = s.scaling.at[i][j] * p[i] * q[j];
      if (i != j) block.at[i][j] += s.swapped[3 - i - j] * p[j] * q[i];
    }
    for (int m = 0; m < 3; ++m) {
      if (m != i) block.at[i][i] += s.same[3 - i - m] * p[m] * q[m];
    }
  }
  return Multiply(Multiply(s.U, block), Transpose(s.U));
}

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_KERNELS_SOLID_NEO_HOOKEAN_H_
