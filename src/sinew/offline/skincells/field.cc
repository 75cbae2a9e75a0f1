#include "sinew/offline/skincells/field.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sinew/offline/core/parallel.h"

namespace sinew::skincells {
namespace {

// Returns D(x)_(l+1). The paper prints D(x)_l, which would give the l-th nearest joint weight zero and leave l - 1
// influences. There must be more than l cells: with fewer nothing is cut.
double CutDistance(std::span<const double> distances, int l) {
  std::vector<double> sorted(distances.begin(), distances.end());
  std::nth_element(sorted.begin(), sorted.begin() + l, sorted.end());
  return sorted[l];
}

// Logarithm of equation 3, before normalisation; minus infinity for no weight. Logarithms are used because far outside
// all weights are tiny, and near a site one is huge.
double LogWeight(const SkinCell& cell, double distance, double numerator) {
  if (numerator <= 0) return -std::numeric_limits<double>::infinity();
  return cell.r * (std::log(numerator) - std::log(distance));
}

// Equation 2: turns logarithms into weights that sum to 1. If all weights are zero, the nearest cell takes all.
void Normalize(std::span<double> logs, std::span<const double> distances) {
  const double most = *std::max_element(logs.begin(), logs.end());
  if (!std::isfinite(most)) {
    std::fill(logs.begin(), logs.end(), 0.0);
    logs[std::min_element(distances.begin(), distances.end()) - distances.begin()] = 1;
    return;
  }
  double sum = 0;
  for (double& w : logs) sum += w = std::exp(w - most);
  for (double& w : logs) w /= sum;
}

}  // namespace

double CellDistance(const SkinCell& cell, const Eigen::Vector3d& x) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const Site& site : cell.sites) nearest = std::min(nearest, Rounded((site.F * (x - site.p)).norm(), site.t));
  return nearest;
}

void EvaluateCells(const SkinField& field, const Eigen::Vector3d& x, std::span<double> weights) {
  const size_t n = field.cells.size();
  std::vector<double> d(n);
  for (size_t j = 0; j < n; ++j) d[j] = CellDistance(field.cells[j], x);
  const bool cut = static_cast<int>(n) > field.l;
  const double D = cut ? CutDistance(d, field.l) : 0;
  for (size_t j = 0; j < n; ++j) {
    weights[j] = LogWeight(field.cells[j], d[j], cut ? std::max(field.cells[j].c, D - d[j]) : 1);
  }
  Normalize(weights, d);
}

SkinWeights StrongestWeights(int count, std::span<const int> joints, int l,
                             const std::function<void(int point, std::span<double> row)>& fill) {
  const size_t n = joints.size(), kept = std::min<size_t>(l, n);
  SkinWeights out{.influences = l, .joints = {}, .weights = {}};
  out.joints.assign(static_cast<size_t>(count) * l, 0);
  out.weights.assign(static_cast<size_t>(count) * l, 0);
  ParallelChunks(count, 64, [&](int begin, int end) {
    std::vector<double> row(n);
    std::vector<int> order(n);
    for (int v = begin; v < end; ++v) {
      std::fill(row.begin(), row.end(), 0.0);
      fill(v, row);
      std::iota(order.begin(), order.end(), 0);
      std::partial_sort(order.begin(), order.begin() + kept, order.end(),
                        [&](int a, int b) { return row[a] != row[b] ? row[a] > row[b] : a < b; });
      double sum = 0;
      for (size_t k = 0; k < kept; ++k) sum += row[order[k]];
      const size_t first = static_cast<size_t>(v) * l;
      out.joints[first] = static_cast<uint16_t>(joints[sum > 0 ? order[0] : 0]);
      out.weights[first] = 1;
      if (!(sum > 0)) continue;
      for (size_t k = 0; k < kept; ++k) {
        // Smaller weights move nothing and would only cost a slot.
        const double w = row[order[k]] / sum;
        if (k > 0 && w < 1e-7) break;
        out.joints[first + k] = static_cast<uint16_t>(joints[order[k]]);
        out.weights[first + k] = static_cast<float>(w);
      }
    }
  });
  return out;
}

SkinWeights StrongestWeights(std::span<const double> dense, std::span<const int> joints, int l) {
  const size_t n = joints.size();
  return StrongestWeights(static_cast<int>(dense.size() / n), joints, l, [&](int v, std::span<double> row) {
    const std::span<const double> given = dense.subspan(v * n, n);
    std::copy(given.begin(), given.end(), row.begin());
  });
}

SkinWeights EvaluateField(const SkinField& field, const Points& points) {
  std::vector<int> joints;
  for (const SkinCell& cell : field.cells) joints.push_back(cell.joint);
  return StrongestWeights(static_cast<int>(points.rows()), joints, field.l, [&](int v, std::span<double> row) {
    EvaluateCells(field, (points.row(v).transpose().cast<double>() - field.origin) / field.size, row);
  });
}

}  // namespace sinew::skincells
