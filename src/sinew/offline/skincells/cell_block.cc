#include "sinew/offline/skincells/cell_block.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/offline/skincells/parameters.h"

namespace sinew::skincells {
namespace {

template <typename Scalar>
using Lanes = typename CellBlock<Scalar>::Lanes;

// Numerators of equation 3 up to this count as zero, so that logarithm and inverse stay in range.
template <typename Scalar>
constexpr Scalar kTiny = std::numeric_limits<Scalar>::min() * 16;

// Computes d(x; P_j), the minimum over k of h(d(x; P_jk), t_jk), and the k at which it is reached.
template <typename Scalar>
void Distances(const CellTable<Scalar>& table, int cell, CellBlock<Scalar>& block) {
  Scalar* best = block.d[cell].data();
  int32_t* nearest = block.nearest[cell].data();
  const Scalar *x = block.x.data(), *y = block.y.data(), *z = block.z.data();
  block.d[cell].setConstant(std::numeric_limits<Scalar>::max());
  block.nearest[cell].setZero();
  for (int k = 0; k < table.sites_per_cell; ++k) {
    const auto s = table.sites[cell * table.sites_per_cell + k];
    for (int i = 0; i < kBlock; ++i) {
      const Scalar dx = x[i] - s.p[0], dy = y[i] - s.p[1], dz = z[i] - s.p[2];
      const Scalar y0 = s.F[0] * dx, y1 = s.F[1] * dx + s.F[2] * dy, y2 = s.F[3] * dx + s.F[4] * dy + s.F[5] * dz;
      const Scalar square = y0 * y0 + y1 * y1 + y2 * y2;
      const Scalar d = std::sqrt(square), round = Scalar(0.5) * (square * s.inverse_t + s.t);
      const Scalar h = d < s.t ? round : d;
      const bool better = h < best[i];
      best[i] = better ? h : best[i];
      nearest[i] = better ? k : nearest[i];
    }
  }
}

// Finds the (l + 1)-th smallest distance of each point, by keeping the l + 1 smallest ones sorted.
template <typename Scalar>
void FindCut(const CellTable<Scalar>& table, CellBlock<Scalar>& block) {
  std::vector<Lanes<Scalar>> smallest(table.l + 1, Lanes<Scalar>::Constant(std::numeric_limits<Scalar>::max()));
  Lanes<Scalar> carried, lower;
  for (int j = 0; j < table.cells; ++j) {
    carried = block.d[j];
    for (Lanes<Scalar>& place : smallest) {
      lower = place.min(carried);
      carried = place.max(carried);
      place = lower;
    }
  }
  block.D = smallest.back();
}

// Gives points at which l + 1 cells tie, where equation 3 is 0 / 0, to the nearest cell.
template <typename Scalar>
void GiveToNearest(CellBlock<Scalar>& block, const Lanes<Scalar>& sum) {
  for (int i = 0; i < kBlock; ++i) {
    if (sum[i] > 0) continue;
    size_t nearest = 0;
    for (size_t j = 1; j < block.d.size(); ++j) {
      if (block.d[j][i] < block.d[nearest][i]) nearest = j;
    }
    for (size_t j = 0; j < block.d.size(); ++j) block.w[j][i] = j == nearest ? Scalar(1) : Scalar(0);
  }
}

// Replaces dL/dw in g by dL/dd of each cell, and adds the gradients of r and c. a is dL/d(ln w) before normalisation.
template <typename Scalar>
void ThroughWeights(const CellTable<Scalar>& table, const CellBlock<Scalar>& block, std::vector<Lanes<Scalar>>& g,
                    Eigen::VectorXd& gradient) {
  Lanes<Scalar> dot = Lanes<Scalar>::Zero(), to_cut = Lanes<Scalar>::Zero();
  for (int j = 0; j < table.cells; ++j) dot += block.w[j] * g[j];
  for (int j = 0; j < table.cells; ++j) {
    const Scalar r = table.r[j], c = table.c[j];
    Scalar *slope = g[j].data(), *cut = to_cut.data();
    const Scalar *w = block.w[j].data(), *d = block.d[j].data(), *log = block.log[j].data(), *D = block.D.data();
    Lanes<Scalar> for_r, for_c;
    for (int i = 0; i < kBlock; ++i) {
      const Scalar a = w[i] * (slope[i] - dot[i]);
      const Scalar n = D[i] - d[i];
      const bool active = table.cut() && n > c;
      const Scalar through = active ? a * r / std::max(n, kTiny<Scalar>) : Scalar(0);
      for_r[i] = a * log[i];
      for_c[i] = active ? Scalar(0) : a;
      cut[i] += through;
      slope[i] = -a * r / d[i] - through;
    }
    const int at = j * CellSize(table.sites_per_cell);
    gradient[at] += static_cast<double>(for_r.sum()) * (r - 1);
    // d/d(ln c) of ln n = ln c is 1; without a cut or a relaxation there is no c to change.
    if (table.cut() && c > 0) gradient[at + 1] += static_cast<double>(for_c.sum()) * r;
  }
  if (!table.cut()) return;
  for (int i = 0; i < kBlock; ++i) {
    int j = 0;
    while (block.d[j][i] != block.D[i]) ++j;
    g[j][i] += to_cut[i];
  }
}

// Adds the gradients of a cell's sites, given its dL/dd. With y = F (x - p): dh/dy = y / max(|y|, t).
template <typename Scalar>
void ThroughSites(const CellTable<Scalar>& table, const CellBlock<Scalar>& block, int cell, const Lanes<Scalar>& slope,
                  Eigen::VectorXd& gradient) {
  constexpr int kMaxSites = 64;
  Scalar sums[kMaxSites][kSiteSize] = {};
  for (int i = 0; i < kBlock; ++i) {
    if (slope[i] == 0) continue;
    const int k = block.nearest[cell][i];
    const auto& s = table.sites[cell * table.sites_per_cell + k];
    const Scalar dx = block.x[i] - s.p[0], dy = block.y[i] - s.p[1], dz = block.z[i] - s.p[2];
    const Scalar y0 = s.F[0] * dx, y1 = s.F[1] * dx + s.F[2] * dy, y2 = s.F[3] * dx + s.F[4] * dy + s.F[5] * dz;
    const Scalar square = y0 * y0 + y1 * y1 + y2 * y2, d = std::sqrt(square);
    const Scalar scale = slope[i] / std::max(d, s.t);
    const Scalar g0 = scale * y0, g1 = scale * y1, g2 = scale * y2;
    Scalar* sum = sums[k];
    sum[0] -= s.F[0] * g0 + s.F[1] * g1 + s.F[3] * g2;
    sum[1] -= s.F[2] * g1 + s.F[4] * g2;
    sum[2] -= s.F[5] * g2;
    sum[3] += g0 * dx;
    sum[4] += g1 * dx;
    sum[5] += g1 * dy;
    sum[6] += g2 * dx;
    sum[7] += g2 * dy;
    sum[8] += g2 * dz;
    if (d < s.t) sum[9] += slope[i] * Scalar(0.5) * (1 - square * s.inverse_t * s.inverse_t);
  }
  for (int k = 0; k < table.sites_per_cell; ++k) {
    const auto& s = table.sites[cell * table.sites_per_cell + k];
    const double chain[kSiteSize] = {1, 1, 1, s.F[0], 1, s.F[2], 1, 1, s.F[5], s.t};
    const int at = cell * CellSize(table.sites_per_cell) + 2 + k * kSiteSize;
    for (int n = 0; n < kSiteSize; ++n) gradient[at + n] += chain[n] * static_cast<double>(sums[k][n]);
  }
}

}  // namespace

template <typename Scalar>
CellTable<Scalar> MakeCellTable(const Eigen::VectorXd& parameters, int cells, int sites_per_cell, int l, double relax) {
  CellTable<Scalar> table{cells, sites_per_cell, l, {}, {}, {}};
  int at = 0;
  for (int j = 0; j < cells; ++j) {
    table.r.push_back(static_cast<Scalar>(1 + std::exp(parameters[at++])));
    table.c.push_back(static_cast<Scalar>(relax * std::exp(parameters[at++])));
    for (int k = 0; k < sites_per_cell; ++k) {
      typename CellTable<Scalar>::Site& site = table.sites.emplace_back();
      for (Scalar& p : site.p) p = static_cast<Scalar>(parameters[at++]);
      for (int n = 0; n < 6; ++n) {
        const double value = parameters[at++];
        const bool diagonal = n == 0 || n == 2 || n == 5;
        site.F[n] = static_cast<Scalar>(diagonal ? std::exp(value) : value);
      }
      site.t = static_cast<Scalar>(std::exp(parameters[at++]));
      site.inverse_t = 1 / site.t;
    }
  }
  return table;
}

template <typename Scalar>
void EvaluateBlock(const CellTable<Scalar>& table, CellBlock<Scalar>& block) {
  block.w.resize(table.cells), block.d.resize(table.cells), block.log.resize(table.cells);
  block.nearest.resize(table.cells);
  for (int j = 0; j < table.cells; ++j) Distances(table, j, block);
  block.D.setZero();
  if (table.cut()) FindCut(table, block);
  Lanes<Scalar> most = Lanes<Scalar>::Constant(std::numeric_limits<Scalar>::lowest()), n;
  for (int j = 0; j < table.cells; ++j) {
    n = table.cut() ? Lanes<Scalar>((block.D - block.d[j]).max(table.c[j])) : Lanes<Scalar>::Ones();
    block.log[j] = n.max(kTiny<Scalar>).log() - block.d[j].log();
    // A numerator of zero gives no weight at all, not a small one.
    block.w[j] = (n > kTiny<Scalar>).select(table.r[j] * block.log[j], Scalar(-1e30));
    most = most.max(block.w[j]);
  }
  Lanes<Scalar> sum = Lanes<Scalar>::Zero();
  for (int j = 0; j < table.cells; ++j) {
    block.w[j] = (block.w[j] > Scalar(-1e29)).select((block.w[j] - most).max(Scalar(-80)).exp(), Scalar(0));
    sum += block.w[j];
  }
  for (int j = 0; j < table.cells; ++j) block.w[j] /= sum;
  if (!(sum > 0).all()) GiveToNearest(block, sum);
}

template <typename Scalar>
void BlockGradient(const CellTable<Scalar>& table, const CellBlock<Scalar>& block,
                   std::vector<typename CellBlock<Scalar>::Lanes>& g, Eigen::VectorXd& gradient) {
  ThroughWeights(table, block, g, gradient);
  for (int j = 0; j < table.cells; ++j) ThroughSites(table, block, j, g[j], gradient);
}

template CellTable<float> MakeCellTable(const Eigen::VectorXd&, int, int, int, double);
template CellTable<double> MakeCellTable(const Eigen::VectorXd&, int, int, int, double);
template void EvaluateBlock(const CellTable<float>&, CellBlock<float>&);
template void EvaluateBlock(const CellTable<double>&, CellBlock<double>&);
template void BlockGradient(const CellTable<float>&, const CellBlock<float>&, std::vector<CellBlock<float>::Lanes>&,
                            Eigen::VectorXd&);
template void BlockGradient(const CellTable<double>&, const CellBlock<double>&, std::vector<CellBlock<double>::Lanes>&,
                            Eigen::VectorXd&);

}  // namespace sinew::skincells
