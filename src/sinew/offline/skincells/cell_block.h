// Equations 2 and 3 and their gradient for a block of points at once, laid out so that the compiler makes vectors of
// points. field.h has the same in plain form, for single points and in full precision; tests hold the two together.
//
// Where the field has a kink one side's slope is taken: of several nearest sites the first one's, of several cells on
// rank l + 1 the lowest's, of max(c, D - d) at equality c's, of h at d = t the outer one's.
#ifndef SINEW_OFFLINE_SKINCELLS_CELL_BLOCK_H_
#define SINEW_OFFLINE_SKINCELLS_CELL_BLOCK_H_

#include <Eigen/Core>
#include <vector>

namespace sinew::skincells {

// Points a block: enough to hide what is done once per block, few enough to stay in the cache.
constexpr int kBlock = 128;

// A field's parameters (parameters.h) with exponentials applied.
template <typename Scalar>
struct CellTable {
  struct Site {
    Scalar p[3];
    Scalar F[6];  // lower triangle, row by row
    Scalar t, inverse_t;
  };
  int cells = 0, sites_per_cell = 0, l = 0;
  std::vector<Scalar> r, c;
  std::vector<Site> sites;

  bool cut() const { return cells > l; }
};

// relax: scales every c; 0 makes the field sparse.
template <typename Scalar>
CellTable<Scalar> MakeCellTable(const Eigen::VectorXd& parameters, int cells, int sites_per_cell, int l, double relax);

template <typename Scalar>
struct CellBlock {
  using Lanes = Eigen::Array<Scalar, kBlock, 1>;
  Lanes x, y, z;                                          // the points; a block that is not full repeats its last one
  std::vector<Lanes> w;                                   // per cell: weight
  std::vector<Lanes> d;                                   // per cell: distance
  std::vector<Lanes> log;                                 // per cell: ln of numerator over distance
  std::vector<Eigen::Array<int32_t, kBlock, 1>> nearest;  // per cell: its nearest site
  Lanes D;                                                // the cut
};

template <typename Scalar>
void EvaluateBlock(const CellTable<Scalar>& table, CellBlock<Scalar>& block);

// g: per cell, dL/dw, zero for points beyond the block's own; destroyed. Adds dL/dparameters to gradient.
template <typename Scalar>
void BlockGradient(const CellTable<Scalar>& table, const CellBlock<Scalar>& block,
                   std::vector<typename CellBlock<Scalar>::Lanes>& g, Eigen::VectorXd& gradient);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_CELL_BLOCK_H_
