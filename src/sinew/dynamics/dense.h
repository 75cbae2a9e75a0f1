// Small dense symmetric systems: Newton's method in a subspace solves one per iteration.
#ifndef SINEW_DYNAMICS_DENSE_H_
#define SINEW_DYNAMICS_DENSE_H_

namespace sinew::dynamics {

// Factors A = L L' in place: the lower triangle of A, row by row with n numbers per row, becomes L; what is above the
// diagonal is neither read nor written. Returns whether A is positive definite; if not, A is left half-done.
bool FactorCholesky(double* A, int n) noexcept;

// Solves L L' x = b in place. L: what FactorCholesky() left.
void SolveCholesky(const double* L, int n, double* x) noexcept;

double Dot(const double* a, const double* b, int n) noexcept;

}  // namespace sinew::dynamics

#endif  // SINEW_DYNAMICS_DENSE_H_
