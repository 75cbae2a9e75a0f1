#include "sinew/dynamics/dented_terms.h"

#include "sinew/dynamics/incremental_potential.h"

namespace sinew::dynamics {
namespace {

// Derivatives of x of a contact point by a state: two rows of n numbers.
void PositionRows(const Dents& dents, const SparseRows& points, int point, size_t n, double* out) {
  dents.DerivePoint(point, out);
  for (uint32_t i = points.starts[point]; i < points.starts[point + 1]; ++i) {
    const size_t k = 2 * size_t{points.basis[i]};
    out[k] += points.values[i];
    out[n + k + 1] += points.values[i];
  }
}

// Derivatives of F by a state: rows of F_xx, F_yx, F_xy, F_yy.
void DeformationRows(const SparseRows& rows, const Dents& dents, int e, size_t n, double* out) {
  for (size_t i = 0; i < 4 * n; ++i) out[i] = 0;
  for (uint32_t i = rows.starts[e]; i < rows.starts[e + 1]; ++i) {
    const size_t k = 2 * size_t{rows.basis[i]};
    for (size_t d = 0; d < 2; ++d) {
      const double g = rows.values[2 * size_t{i} + d];
      out[2 * d * n + k] += g;
      out[(2 * d + 1) * n + k + 1] += g;
    }
  }
  const Dents::Element& element = dents.element(e);
  for (int c = 0; c < 3; ++c) {
    if (!dents.moves(element.sites[c])) continue;
    const double* J = dents.jacobian(element.sites[c]);
    for (size_t d = 0; d < 2; ++d) {
      const double g = element.gradients[2 * static_cast<size_t>(c) + d];
      for (size_t i = 0; i < 2 * n; ++i) out[2 * d * n + i] += g * J[i];
    }
  }
}

// Adds sum_m left_m' right_m of `rows` rows to the lower triangle.
void AddProduct(const double* left, const double* right, size_t rows, size_t n, double* hessian) {
  for (size_t m = 0; m < rows; ++m) {
    for (size_t i = 0; i < n; ++i) {
      const double factor = left[m * n + i];
      if (factor == 0) continue;
      for (size_t j = 0; j <= i; ++j) hessian[i * n + j] += factor * right[m * n + j];
    }
  }
}

}  // namespace

double DentInertia::Energy(const double* state) const noexcept {
  double energy = 0;
  for (int s = 0; s < dents->corner_count(); ++s) {
    const bool moves = dents->moves(s);
    if (!moves && dents_start == nullptr) continue;
    double x = 0, y = 0, start_x = 0, start_y = 0;
    PositionOf(object->nodes(), dents->node(s), state, &x, &y);
    PositionOf(object->nodes(), dents->node(s), start, &start_x, &start_y);
    const double ux = (moves ? dents->u(s)[0] : 0) - (dents_start != nullptr ? dents_start[2 * s] : 0);
    const double uy = (moves ? dents->u(s)[1] : 0) - (dents_start != nullptr ? dents_start[2 * s + 1] : 0);
    energy += dents->corner_mass(s) * ((x - start_x + ux / 2) * ux + (y - start_y + uy / 2) * uy);
  }
  return energy / (seconds * seconds);
}

void DentInertia::Add(const double* state, bool convex, double* gradient, double* hessian) const noexcept {
  const auto n = static_cast<size_t>(object->state_size());
  const SparseRows nodes = object->nodes();
  for (int s = 0; s < dents->corner_count(); ++s) {
    const bool moves = dents->moves(s);
    if (!moves && dents_start == nullptr) continue;
    const int node = dents->node(s);
    const double mass = dents->corner_mass(s) / (seconds * seconds);
    double off[2], from[2], u[2];  // x~ - x~*, x~*, u - u*
    PositionOf(nodes, node, state, &off[0], &off[1]);
    PositionOf(nodes, node, start, &from[0], &from[1]);
    for (int r = 0; r < 2; ++r) {
      off[r] -= from[r];
      u[r] = (moves ? dents->u(s)[r] : 0) - (dents_start != nullptr ? dents_start[2 * s + r] : 0);
    }
    for (uint32_t i = nodes.starts[node]; i < nodes.starts[node + 1]; ++i) {
      for (size_t r = 0; r < 2; ++r) gradient[2 * size_t{nodes.basis[i]} + r] += mass * nodes.values[i] * u[r];
    }
    if (!moves) continue;
    const double* J = dents->jacobian(s);
    for (size_t r = 0; r < 2; ++r) {
      for (size_t i = 0; i < n; ++i) gradient[i] += mass * (off[r] + u[r]) * J[r * n + i];
    }
    if (hessian == nullptr) continue;
    // J' J + U' J + J' U, the latter two as ((U + J)' (U + J) - U' U) without J' J.
    double* weighed = dents->work();
    for (size_t i = 0; i < 2 * n; ++i) weighed[i] = mass * J[i];
    AddProduct(J, weighed, 2, n, hessian);
    for (uint32_t i = nodes.starts[node]; !convex && i < nodes.starts[node + 1]; ++i) {
      for (size_t r = 0; r < 2; ++r) {
        const size_t k = 2 * size_t{nodes.basis[i]} + r;
        for (size_t j = 0; j <= k; ++j) hessian[k * n + j] += nodes.values[i] * weighed[r * n + j];
        for (size_t j = k; j < n; ++j) hessian[j * n + k] += nodes.values[i] * weighed[r * n + j];
      }
    }
  }
}

void AddDentedElement(const ObjectTable& object, const Dents& dents, int e, const runtime::SquareMatrix<2>& stress,
                      const ColumnBlocks<2>* blocks, double* gradient, double* hessian) noexcept {
  const auto n = static_cast<size_t>(object.state_size());
  double* G = dents.work();
  DeformationRows(object.elements(), dents, e, n, G);
  for (size_t i = 0; i < n; ++i) {
    gradient[i] += (stress.at[0][0] * G[i] + stress.at[1][0] * G[n + i]) +
                   (stress.at[0][1] * G[2 * n + i] + stress.at[1][1] * G[3 * n + i]);
  }
  if (hessian == nullptr) return;
  // Between rows of G: columns of F one after another.
  double C[4][4];
  for (size_t m = 0; m < 4; ++m) {
    for (size_t k = 0; k < 4; ++k) C[m][k] = blocks->columns[m / 2][k / 2].at[m % 2][k % 2];
  }
  double* product = G + 4 * n;
  for (size_t m = 0; m < 4; ++m) {
    for (size_t i = 0; i < n; ++i) {
      product[m * n + i] = (C[m][0] * G[i] + C[m][1] * G[n + i]) + (C[m][2] * G[2 * n + i] + C[m][3] * G[3 * n + i]);
    }
  }
  AddProduct(G, product, 4, n, hessian);
}

void AddDentedPoint(const ObjectTable& object, const Dents& dents, int point, const PointTerm& term, double* gradient,
                    double* hessian) noexcept {
  const auto n = static_cast<size_t>(object.state_size());
  double* J = dents.work();
  PositionRows(dents, object.points(), point, n, J);
  for (size_t i = 0; i < n; ++i) gradient[i] += term.slope[0] * J[i] + term.slope[1] * J[n + i];
  if (hessian == nullptr) return;
  double* product = J + 2 * n;
  for (size_t i = 0; i < n; ++i) {
    for (size_t r = 0; r < 2; ++r) product[r * n + i] = term.curvature[r][0] * J[i] + term.curvature[r][1] * J[n + i];
  }
  AddProduct(J, product, 2, n, hessian);
}

}  // namespace sinew::dynamics
