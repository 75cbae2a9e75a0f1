// Equations 2 and 3 (field.h) and their gradient for a block of points at once, laid out so that the compiler
// vectorises over points. field.h evaluates the same equations plainly, for single points and in double precision;
// tests compare the two.
//
// Where the field has a kink, the gradient is that of one side: of several nearest sites the first, of several cells on
// rank l + 1 the lowest, of max(c, D - d) at equality that of c, of h at d = t the outer one.
#ifndef SINEW_OFFLINE_SKINCELLS_CELL_BLOCK_H_
#define SINEW_OFFLINE_SKINCELLS_CELL_BLOCK_H_

#include <Eigen/Core>
#include <vector>

namespace sinew::skincells {

// Number of points per block: large enough to hide the work done once per block, small enough to stay in the cache.
constexpr int kBlock = 128;

// Parameters of a field (parameters.h) with the exponentials applied. Symbols are those of field.h.
template <typename Scalar>
struct CellTable {
  struct Site {
    Scalar p[3];
    Scalar F[6];  // lower triangle, row by row
    Scalar t, inverse_t;
  };
  int cells = 0, sites_per_cell = 0, l = 0;
  std::vector<Scalar> r, c;  // one per cell
  std::vector<Site> sites;   // sites_per_cell per cell, cell by cell

  // Whether equation 3 cuts weights off: with no more than l cells it does not.
  bool cut() const { return cells > l; }
};

// Applies the exponentials to a vector of parameters. relax: factor on every c; 0 makes the field sparse.
template <typename Scalar>
CellTable<Scalar> MakeCellTable(const Eigen::VectorXd& parameters, int cells, int sites_per_cell, int l, double relax);

// Points of a block, and their weights with the intermediate results that the gradient needs.
template <typename Scalar>
struct CellBlock {
  using Lanes = Eigen::Array<Scalar, kBlock, 1>;
  Lanes x, y, z;           // the points; a block that is not full repeats its last one
  std::vector<Lanes> w;    // per cell: weight
  std::vector<Lanes> d;    // per cell: distance
  std::vector<Lanes> log;  // per cell: ln of the base of equation 3, numerator over distance
  std::vector<Eigen::Array<int32_t, kBlock, 1>> nearest;  // per cell: index of its nearest site
  Lanes D;                                                // D(x)_(l+1); 0 if nothing is cut
};

// Fills in everything but x, y and z, which are given.
template <typename Scalar>
void EvaluateBlock(const CellTable<Scalar>& table, CellBlock<Scalar>& block);

// Adds dL/dparameters to gradient. block: as EvaluateBlock() left it. g: per cell, dL/dw, zero for the points that only
// fill up the block; overwritten.
template <typename Scalar>
void BlockGradient(const CellTable<Scalar>& table, const CellBlock<Scalar>& block,
                   std::vector<typename CellBlock<Scalar>::Lanes>& g, Eigen::VectorXd& gradient);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_CELL_BLOCK_H_
