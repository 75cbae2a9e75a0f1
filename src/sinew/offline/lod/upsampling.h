// The operators between two levels: upsampling U and coarsening C.
//
// U takes a field from the points of the coarse level to those of the fine one: every fine point lies in a coarse
// triangle, and gets the value interpolated from its three corners. C goes back, to the coarse field whose upsampling
// is nearest in the least-squares sense over fine points:
//
//   C = (U' U)^-1 U',   so that C U = 1 exactly, and C 1 = C U 1 = 1: constants stay.
//
// Of all left inverses this is the one that leaves the smallest residual for the next level to add, which is what the
// levels are for. U' U is sparse and is factorised once; C itself, which is dense, is never formed. U' U is regular
// because every coarse point owns a fine one: see Simplifier.
#ifndef SINEW_OFFLINE_LOD_UPSAMPLING_H_
#define SINEW_OFFLINE_LOD_UPSAMPLING_H_

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <array>
#include <memory>
#include <vector>

namespace sinew::lod {

struct Upsampling {
  int coarse_count = 0;
  std::vector<std::array<int, 3>> corners;    // one per fine point: coarse points, all different
  std::vector<std::array<float, 3>> weights;  // barycentric: none negative; sum to 1 within 1e-6

  int fine_count() const { return static_cast<int>(corners.size()); }
};

// Returns U as a matrix: one row per fine point, one column per coarse point, zeros left out.
Eigen::SparseMatrix<double, Eigen::RowMajor> ToMatrix(const Upsampling& U);

// Upsamples fields. fields: one column each, one row per coarse point.
Eigen::MatrixXd Upsample(const Upsampling& U, const Eigen::MatrixXd& fields);

class Coarsening {
 public:
  // Throws FailedError if U does not have full column rank.
  explicit Coarsening(const Upsampling& U);
  ~Coarsening();
  Coarsening(Coarsening&&) noexcept;
  Coarsening& operator=(Coarsening&&) noexcept;

  // Applies C to fields. fields: one column each, one row per fine point. Columns run in parallel.
  Eigen::MatrixXd Apply(const Eigen::MatrixXd& fields) const;

  // Coarsens rows that are shares of a whole, such as skinning weights: returns the coarse shares (none negative, rows
  // sum to 1) whose upsampling is nearest to the fine ones. The result of C is clipped where it overshoots, and then
  // moved on toward the least-squares solution under that condition: clipping alone has a larger error than taking each
  // weight from the nearest vertex.
  Eigen::MatrixXd ApplyToShares(const Eigen::MatrixXd& shares) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew::lod

#endif  // SINEW_OFFLINE_LOD_UPSAMPLING_H_
