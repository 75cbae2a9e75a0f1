#include "sinew/offline/mesh/flatten.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace sinew {
namespace {

constexpr int kMaxVertices = 48;  // patches with more are refused; a vertex of that valence is better kept
using Complex = std::complex<double>;
using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 2 * kMaxVertices, 2 * kMaxVertices>;
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 2 * kMaxVertices, 1>;

double Cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

double TwiceArea(const Plane& uv, const std::array<int, 3>& t) {
  return Cross(uv[t[1]] - uv[t[0]], uv[t[2]] - uv[t[0]]);
}

// Whether every triangle is counter-clockwise and not degenerate.
bool Upright(const Plane& uv, const std::vector<std::array<int, 3>>& triangles) {
  constexpr double kHair = 1e-4;
  return std::all_of(triangles.begin(), triangles.end(), [&](const std::array<int, 3>& t) {
    const double longest = std::max({(uv[t[1]] - uv[t[0]]).squaredNorm(), (uv[t[2]] - uv[t[1]]).squaredNorm(),
                                     (uv[t[0]] - uv[t[2]]).squaredNorm()});
    return TwiceArea(uv, t) > kHair * longest;
  });
}

// The unknowns: u and v of every vertex, some of them given.
class Unknowns {
 public:
  explicit Unknowns(const Patch& patch) : patch_(patch), given_(2 * patch.vertex_count(), false) {}

  void Give(int vertex, const Eigen::Vector2d& value) {
    GiveComponent(vertex, 0, value.x());
    GiveComponent(vertex, 1, value.y());
  }
  void GiveComponent(int vertex, int component, double value) {
    values_[2 * vertex + component] = value;
    given_[2 * vertex + component] = true;
  }

  // Minimises the sum over triangles of |W1 z1 + W2 z2 + W3 z3|^2 / (2 area), z = u + i v, W the triangle's edges.
  bool Solve(Plane& uv) {
    int count = 0;
    std::array<int, 2 * kMaxVertices> index;
    for (int d = 0; d < 2 * patch_.vertex_count(); ++d) {
      const bool doubled = d / 2 == Patch::kV && patch_.v_is != Patch::kV;
      index[d] = given_[d] || doubled ? -1 : count++;
    }
    if (patch_.v_is != Patch::kV) {
      for (int c = 0; c < 2; ++c) {
        index[2 * Patch::kV + c] = index[2 * patch_.v_is + c];
        values_[2 * Patch::kV + c] = values_[2 * patch_.v_is + c];
      }
    }
    Small H = Small::Zero(count, count);
    SmallVector rhs = SmallVector::Zero(count);
    for (const auto& t : patch_.before) Add(t, index, H, rhs);
    for (const auto& t : patch_.after) Add(t, index, H, rhs);
    const Eigen::LLT<Eigen::Ref<Small>> factor(H);  // in place
    if (factor.info() != Eigen::Success) return false;
    factor.solveInPlace(rhs);
    uv.resize(patch_.vertex_count());
    for (int d = 0; d < 2 * patch_.vertex_count(); ++d) uv[d / 2][d % 2] = index[d] < 0 ? values_[d] : rhs[index[d]];
    return rhs.allFinite();
  }

 private:
  void Add(const std::array<int, 3>& t, const std::array<int, 2 * kMaxVertices>& index, Small& H, SmallVector& rhs) {
    const Eigen::Vector3d e1 = patch_.positions[t[1]] - patch_.positions[t[0]];
    const Eigen::Vector3d e2 = patch_.positions[t[2]] - patch_.positions[t[0]];
    const double length = e1.norm();
    if (length == 0) return;
    // The triangle in its own plane: corners 0, length, p.
    const double x = e1.dot(e2) / length;
    const double y = std::max(e1.cross(e2).norm() / length, 1e-6 * length);
    const Complex p(x, y);
    const Complex W[3] = {p - length, -p, length};
    const double scale = 1 / (length * y);
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        // conj(za) M zb with M = conj(Wa) Wb: as real 2 x 2 blocks.
        const Complex M = std::conj(W[a]) * W[b] * scale;
        const double block[2][2] = {{M.real(), -M.imag()}, {M.imag(), M.real()}};
        for (int c = 0; c < 2; ++c) {
          const int row = index[2 * t[a] + c];
          if (row < 0) continue;
          for (int d = 0; d < 2; ++d) {
            const int column = index[2 * t[b] + d];
            column < 0 ? rhs[row] -= block[c][d] * values_[2 * t[b] + d] : H(row, column) += block[c][d];
          }
        }
      }
    }
  }

  const Patch& patch_;
  std::vector<bool> given_;
  std::array<double, 2 * kMaxVertices> values_{};
};

double Distance(const Patch& patch, int a, int b) { return (patch.positions[a] - patch.positions[b]).norm(); }

bool Conformal(const Patch& patch, Plane& uv) {
  Unknowns unknowns(patch);
  if (patch.first >= 0) {
    const double length = Distance(patch, patch.first, Patch::kI) + Distance(patch, Patch::kI, Patch::kJ) +
                          Distance(patch, Patch::kJ, patch.last);
    unknowns.Give(patch.first, {0, 0});
    unknowns.Give(patch.last, {length, 0});
    for (const int v : {Patch::kI, Patch::kJ, Patch::kV}) unknowns.GiveComponent(v, 1, 0);
  } else {
    // Two given points fix place, turn and size; far apart, so that the least-squares solution does not shrink.
    const int a = Patch::kRing;
    int b = a + 1;
    for (int v = a + 2; v < patch.vertex_count(); ++v) {
      if (Distance(patch, a, v) > Distance(patch, a, b)) b = v;
    }
    unknowns.Give(a, {0, 0});
    unknowns.Give(b, {Distance(patch, a, b), 0});
  }
  return unknowns.Solve(uv);
}

// W. T. Tutte, "How to Draw a Graph", 1963: the outline convex, every inner vertex the average of its neighbours.
void Convex(const Patch& patch, Plane& uv) {
  const int ring = patch.vertex_count() - Patch::kRing;
  uv.assign(patch.vertex_count(), Eigen::Vector2d::Zero());
  double around = 0;
  std::vector<double> arc(ring);
  for (int k = 0; k < ring; ++k) {
    arc[k] = around;
    around += Distance(patch, Patch::kRing + k, Patch::kRing + (k + 1) % ring);
  }
  for (int k = 0; k < ring; ++k) {
    // Half by length, half by count, so that no two vertices fall together.
    const double angle = std::numbers::pi * ((around > 0 ? arc[k] / around : 0) + static_cast<double>(k) / ring);
    uv[Patch::kRing + k] = {std::cos(angle), std::sin(angle)};
  }
  const auto average = [&](int v, const std::vector<std::array<int, 3>>& triangles) {
    Eigen::Vector2d sum = Eigen::Vector2d::Zero();
    int count = 0;
    for (const auto& t : triangles) {
      const auto at = std::find(t.begin(), t.end(), v);
      if (at == t.end()) continue;
      sum += uv[t[(at - t.begin() + 1) % 3]];
      ++count;
    }
    return Eigen::Vector2d(sum / count);
  };
  uv[Patch::kV] = average(Patch::kV, patch.after);
  for (int sweep = 0; sweep < 40; ++sweep) {
    uv[Patch::kI] = average(Patch::kI, patch.before);
    uv[Patch::kJ] = average(Patch::kJ, patch.before);
  }
  if (patch.v_is != Patch::kV) uv[Patch::kV] = uv[patch.v_is];
}

}  // namespace

bool Flatten(const Patch& patch, Plane& uv) {
  if (patch.vertex_count() > kMaxVertices) return false;
  if (Conformal(patch, uv) && Upright(uv, patch.before) && Upright(uv, patch.after)) return true;
  if (!patch.ring_is_cycle) return false;
  Convex(patch, uv);
  return Upright(uv, patch.before) && Upright(uv, patch.after);
}

Eigen::Vector3d Barycentric(const Plane& uv, const std::array<int, 3>& t, const Eigen::Vector2d& place) {
  const double whole = TwiceArea(uv, t);
  const double b1 = Cross(place - uv[t[0]], uv[t[2]] - uv[t[0]]) / whole;
  const double b2 = Cross(uv[t[1]] - uv[t[0]], place - uv[t[0]]) / whole;
  return {1 - b1 - b2, b1, b2};
}

Place Locate(const Plane& uv, const std::vector<std::array<int, 3>>& triangles, const Eigen::Vector2d& place) {
  Place best;
  double inside = 0;
  for (int t = 0; t < static_cast<int>(triangles.size()); ++t) {
    const Eigen::Vector3d b = Barycentric(uv, triangles[t], place);
    if (best.triangle >= 0 && b.minCoeff() <= inside) continue;
    inside = b.minCoeff();
    best = {t, b};
    if (inside >= 0) break;
  }
  best.barycentric = best.barycentric.cwiseMax(0);
  best.barycentric /= best.barycentric.sum();
  return best;
}

}  // namespace sinew
