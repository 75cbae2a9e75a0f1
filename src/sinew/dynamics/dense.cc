#include "sinew/dynamics/dense.h"

#include <cmath>
#include <cstddef>

namespace sinew::dynamics {

double Dot(const double* a, const double* b, int n) noexcept {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

bool FactorCholesky(double* A, int n) noexcept {
  for (int i = 0; i < n; ++i) {
    double* row = A + static_cast<size_t>(i) * n;
    for (int j = 0; j < i; ++j) {
      const double* other = A + static_cast<size_t>(j) * n;
      row[j] = (row[j] - Dot(row, other, j)) / other[j];
    }
    // Rounding of what is subtracted decides about pivots below this; NaN fails, too.
    const double pivot = row[i] - Dot(row, row, i);
    if (!(pivot > 1e-14 * row[i])) return false;
    row[i] = std::sqrt(pivot);
  }
  return true;
}

void SolveCholesky(const double* L, int n, double* x) noexcept {
  for (int i = 0; i < n; ++i) {
    const double* row = L + static_cast<size_t>(i) * n;
    x[i] = (x[i] - Dot(row, x, i)) / row[i];
  }
  for (int i = n - 1; i >= 0; --i) {
    const double* row = L + static_cast<size_t>(i) * n;
    x[i] /= row[i];
    for (int j = 0; j < i; ++j) x[j] -= row[j] * x[i];
  }
}

}  // namespace sinew::dynamics
