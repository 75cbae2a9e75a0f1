#include "sinew/offline/deformer/drop_modes.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sinew::deformer {
namespace {

struct Mode {
  size_t level = 0, region = 0;
  Eigen::Index output = 0;  // index of the network's output
  double worth = 0;         // value per stored number, as in the header
};

std::vector<Mode> ModesOf(const Deformer& deformer) {
  std::vector<Mode> modes;
  const size_t levels = deformer.levels.size();
  for (size_t i = 0; i < levels; ++i) {
    const std::vector<RegionCorrective>& regions = deformer.levels[i].regions;
    // Number of points up to the last one that has a corrective: close enough to all for a ratio between levels.
    int points = 1;
    for (const RegionCorrective& region : regions) points = std::max(points, region.points.back() + 1);
    for (size_t k = 0; k < regions.size(); ++k) {
      const RegionCorrective& region = regions[k];
      const auto numbers = static_cast<double>(3 * region.points.size() + region.network.width());
      for (Eigen::Index m = 0; m < region.modes(); ++m) {
        const bool handed_on = m < region.V.cols() && deformer.incremental;
        const double seen_by = handed_on ? static_cast<double>(levels - i) : 1;
        modes.push_back({i, k, m, seen_by * region.spread[m] * region.spread[m] / points / numbers});
      }
    }
  }
  return modes;
}

Eigen::MatrixXf Columns(const Eigen::MatrixXf& from, const std::vector<Eigen::Index>& kept, Eigen::Index first) {
  Eigen::MatrixXf columns(from.rows(), static_cast<Eigen::Index>(kept.size()));
  for (size_t m = 0; m < kept.size(); ++m) columns.col(static_cast<Eigen::Index>(m)) = from.col(kept[m] - first);
  return columns;
}

// Returns the region with these modes only. kept: outputs of the network, increasing.
RegionCorrective WithModes(const RegionCorrective& from, const std::vector<Eigen::Index>& kept) {
  RegionCorrective region = from;
  const auto own = std::lower_bound(kept.begin(), kept.end(), from.V.cols());
  region.V = Columns(from.V, {kept.begin(), own}, 0);
  region.own = Columns(from.own, {own, kept.end()}, from.V.cols());
  const auto count = static_cast<Eigen::Index>(kept.size());
  region.spread.resize(count);
  region.network.W3.resize(count, from.network.W3.cols());
  region.network.b3.resize(count);
  for (Eigen::Index m = 0; m < count; ++m) {
    region.spread[m] = from.spread[kept[m]];
    region.network.W3.row(m) = from.network.W3.row(kept[m]);
    region.network.b3[m] = from.network.b3[kept[m]];
  }
  return region;
}

}  // namespace

int CountModes(const Deformer& deformer) {
  Eigen::Index count = 0;
  for (const LevelCorrectives& level : deformer.levels) {
    for (const RegionCorrective& region : level.regions) count += region.modes();
  }
  return static_cast<int>(count);
}

Deformer KeepBestModes(const Deformer& deformer, double share) {
  // Choose the modes to keep, and list them by level and region.
  std::vector<Mode> modes = ModesOf(deformer);
  std::stable_sort(modes.begin(), modes.end(), [](const Mode& a, const Mode& b) { return a.worth > b.worth; });
  modes.resize(static_cast<size_t>(std::lround(share * static_cast<double>(modes.size()))));
  std::vector<std::vector<std::vector<Eigen::Index>>> kept;
  for (const LevelCorrectives& level : deformer.levels) kept.emplace_back(level.regions.size());
  for (const Mode& mode : modes) kept[mode.level][mode.region].push_back(mode.output);

  Deformer smaller = deformer;
  for (size_t i = 0; i < kept.size(); ++i) {
    smaller.levels[i].regions.clear();
    for (size_t k = 0; k < kept[i].size(); ++k) {
      if (kept[i][k].empty()) continue;
      std::sort(kept[i][k].begin(), kept[i][k].end());
      smaller.levels[i].regions.push_back(WithModes(deformer.levels[i].regions[k], kept[i][k]));
    }
  }
  return smaller;
}

}  // namespace sinew::deformer
