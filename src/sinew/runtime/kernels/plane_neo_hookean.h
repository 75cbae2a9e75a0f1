// Stable Neo-Hookean material in plane strain: B. Smith, F. de Goes, T. Kim, "Stable Neo-Hookean Flesh Simulation",
// 2018. The energy density of a deformation gradient in the plane with F_33 = 1, its stress and its projected Hessian,
// for everything that simulates in the plane: offline/elasticity and dynamics.
//
//   Psi = mu/2 (I_C - 3) + lambda/2 (J - alpha)^2 - mu/2 log(I_C + 1)             (equation 14)
//   alpha = 1 + mu/lambda - mu/(4 lambda),  I_C = |F|^2 + 1,  J = det F
#ifndef SINEW_RUNTIME_KERNELS_PLANE_NEO_HOOKEAN_H_
#define SINEW_RUNTIME_KERNELS_PLANE_NEO_HOOKEAN_H_

#include <cmath>

#include "sinew/runtime/kernels/neo_hookean.h"

namespace sinew::runtime {

// Matrix of two rows and two columns; xy is the first row's second entry.
struct PlaneMatrix {
  double xx = 1, xy = 0, yx = 0, yy = 1;
};

inline PlaneMatrix Multiply(const PlaneMatrix& a, const PlaneMatrix& b) {
  return {a.xx * b.xx + a.xy * b.yx, a.xx * b.xy + a.xy * b.yy, a.yx * b.xx + a.yy * b.yx, a.yx * b.xy + a.yy * b.yy};
}
inline PlaneMatrix Transpose(const PlaneMatrix& a) { return {a.xx, a.yx, a.xy, a.yy}; }
inline double Determinant(const PlaneMatrix& a) { return a.xx * a.yy - a.xy * a.yx; }
inline double SquaredNorm(const PlaneMatrix& a) { return a.xx * a.xx + a.xy * a.xy + a.yx * a.yx + a.yy * a.yy; }

// Energy density Psi minus its value at rest, in joule per cubic metre; exactly 0 at rest. With
//   lambda/2 (J - alpha)^2 = lambda/2 (J - 1)^2 - 3/4 mu (J - 1) + constant
// no large constants cancel.
inline double PlaneEnergy(const NeoHookean& material, const PlaneMatrix& F) {
  const double above = SquaredNorm(F) - 2, j = Determinant(F) - 1;
  return 0.5 * material.mu * (above - std::log1p(above / 4)) + j * (0.5 * material.lambda * j - 0.75 * material.mu);
}

// First Piola-Kirchhoff stress dPsi/dF.
inline PlaneMatrix PlaneStress(const NeoHookean& material, const PlaneMatrix& F) {
  const double I_C = SquaredNorm(F) + 1, scale = material.mu * (I_C / (I_C + 1));
  const double pressure = PressureOf(material, Determinant(F));
  return {scale * F.xx + pressure * F.yy, scale * F.xy - pressure * F.yx, scale * F.yx - pressure * F.xy,
          scale * F.yy + pressure * F.xx};
}

// Hessian projected to positive semi-definite, in the frame of F's singular vectors: with dF = U D V',
//   dF : H : dF = scaling : (D_xx, D_yy)^2 + same (D_xy^2 + D_yx^2) + 2 swapped D_xy D_yx.
struct PlaneSpectrum {
  PlaneMatrix U, V, scaling;
  double same = 0, swapped = 0;
};

namespace plane_detail {

// Direction of half the angle of a vector, as (cosine, sine); that of a zero vector is (1, 0).
inline void HalfAngle(double x, double y, double* cosine, double* sine) {
  const double length = std::sqrt(x * x + y * y);
  const double c = length > 0 ? x / length : 1, s = length > 0 ? y / length : 0;
  if (c >= 0) {
    *cosine = std::sqrt((1 + c) / 2);
    *sine = s / (2 * *cosine);
  } else {
    *sine = std::copysign(std::sqrt((1 - c) / 2), s);
    *cosine = s / (2 * *sine);
  }
}

// Sets the negative eigenvalue of a symmetric matrix, if there is one, to 0.
inline PlaneMatrix ProjectSymmetric(const PlaneMatrix& A) {
  const double mean = (A.xx + A.yy) / 2, half = (A.xx - A.yy) / 2;
  const double radius = std::sqrt(half * half + A.xy * A.xy);
  if (mean - radius >= 0) return A;
  const double high = mean + radius > 0 ? mean + radius : 0;
  double c = 1, s = 0;
  HalfAngle(half, A.xy, &c, &s);
  return {high * c * c, high * c * s, high * c * s, high * s * s};
}

}  // namespace plane_detail

// Follows the paper's eigenanalysis (section 4) with the third singular value 1: a matrix of the two scalings, a twist
// (antisymmetric) and a flip (symmetric). Singular values come from the rotating and the reflecting part of F; the
// second one has the sign of det F.
inline PlaneSpectrum PlaneProject(const NeoHookean& material, const PlaneMatrix& F) {
  const double e = (F.xx + F.yy) / 2, f = (F.xx - F.yy) / 2, g = (F.yx + F.xy) / 2, h = (F.yx - F.xy) / 2;
  const double q = std::sqrt(e * e + h * h), r = std::sqrt(f * f + g * g);
  double turn_c = 1, turn_s = 0, flip_c = 1, flip_s = 0;
  plane_detail::HalfAngle(e, h, &turn_c, &turn_s);
  plane_detail::HalfAngle(f, g, &flip_c, &flip_s);
  const PlaneMatrix turn{turn_c, -turn_s, turn_s, turn_c}, flip{flip_c, -flip_s, flip_s, flip_c};
  const double first = q + r, second = q - r, J = first * second, I_C = first * first + second * second + 1;
  const double pressure = PressureOf(material, J);
  const double mu_T = material.mu * I_C / (I_C + 1), mu_F = 2 * material.mu / ((I_C + 1) * (I_C + 1));
  const double off = mu_F * J + material.lambda * J + pressure;
  PlaneSpectrum s{.U = Multiply(turn, flip), .V = Multiply(flip, Transpose(turn)), .scaling = {}};
  s.scaling = plane_detail::ProjectSymmetric({mu_T + mu_F * first * first + material.lambda * second * second, off, off,
                                              mu_T + mu_F * second * second + material.lambda * first * first});
  const double twisting = mu_T + pressure > 0 ? mu_T + pressure : 0;
  const double flipping = mu_T - pressure > 0 ? mu_T - pressure : 0;
  s.same = 0.5 * (twisting + flipping);
  s.swapped = 0.5 * (flipping - twisting);
  return s;
}

// Block of the Hessian between two directions p and q of dF = a p' and dF = b q', which must be given as V' p and V' q:
// a' block b = dF(a, p) : H : dF(b, q).
inline PlaneMatrix PlaneBlock(const PlaneSpectrum& s, double px, double py, double qx, double qy) {
  const PlaneMatrix block{s.scaling.xx * px * qx + s.same * py * qy, s.scaling.xy * px * qy + s.swapped * py * qx,
                          s.scaling.yx * py * qx + s.swapped * px * qy, s.scaling.yy * py * qy + s.same * px * qx};
  return Multiply(Multiply(s.U, block), Transpose(s.U));
}

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_KERNELS_PLANE_NEO_HOOKEAN_H_
