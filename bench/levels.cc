#include "bench/levels.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace sinew::bench {
namespace {

// A grid around the torus and across its tube.
struct Grid {
  int around, across;
  int count() const { return around * across; }
  int at(int i, int j) const { return i % around * across + j % across; }
};
constexpr Grid kFineGrid{375, 200}, kCoarseGrid{188, 96}, kPatches{15, 10};
static_assert(kFineGrid.around * kFineGrid.across == Levels::kFine);
static_assert(kCoarseGrid.around * kCoarseGrid.across == Levels::kCoarse);

// A 64-bit mix of an index: the fixed generator.
uint64_t Mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}
double Uniform(uint64_t index) { return static_cast<double>(Mix(index + 1) >> 11) / static_cast<double>(1ull << 53); }

// Where in the file each vertex of a grid is.
std::vector<uint32_t> FilePlaces(const Grid& grid, FileOrder order) {
  std::vector<std::pair<uint64_t, int>> keys;
  for (int v = 0; v < grid.count(); ++v) {
    const int i = v / grid.across * kPatches.around / grid.around, j = v % grid.across * kPatches.across / grid.across;
    const int drawn = order == FileOrder::kPatches ? kPatches.at(i, j) : v;
    keys.emplace_back(Mix(static_cast<uint64_t>(drawn) + 1), v);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<uint32_t> places(keys.size());
  for (size_t p = 0; p < keys.size(); ++p) places[keys[p].second] = static_cast<uint32_t>(p);
  return places;
}

runtime::Float3 TorusPoint(double i, double j) {
  const double turn = 2 * std::numbers::pi, u = turn * i / kCoarseGrid.around, v = turn * j / kCoarseGrid.across;
  const double r = 0.25 + 0.02 * std::sin(9 * u) * std::cos(5 * v), across = 0.7 + r * std::cos(v);
  return {static_cast<float>(std::cos(u) * across), static_cast<float>(r * std::sin(v)),
          static_cast<float>(std::sin(u) * across)};
}

// Fine vertex v of the file, at (a, b) in steps of the coarse grid.
void Place(double a, double b, const std::vector<uint32_t>& coarse_places, uint32_t v, Levels& levels) {
  const int i = static_cast<int>(a), j = static_cast<int>(b);
  const double s = a - i, t = b - j;
  const auto set = [&](int c, int di, int dj, double weight) {
    levels.corners[3 * v + c] = coarse_places[kCoarseGrid.at(i + di, j + dj)];
    levels.weights[3 * v + c] = weight;
  };
  const bool lower = s + t < 1;
  set(0, lower ? 0 : 1, lower ? 0 : 1, lower ? 1 - s - t : s + t - 1);
  set(1, 1, 0, lower ? s : 1 - t);
  set(2, 0, 1, lower ? t : 1 - s);
}

}  // namespace

Levels MakeLevels(FileOrder order) {
  const std::vector<uint32_t> fine_places = FilePlaces(kFineGrid, order),
                              coarse_places = FilePlaces(kCoarseGrid, order);
  Levels levels;
  levels.coarse.resize(Levels::kCoarse);
  levels.corners.resize(3 * Levels::kFine);
  levels.weights.resize(3 * Levels::kFine);
  for (int v = 0; v < kCoarseGrid.count(); ++v) {
    levels.coarse[coarse_places[v]] = TorusPoint(v / kCoarseGrid.across, v % kCoarseGrid.across);
  }
  for (int v = 0; v < kFineGrid.count(); ++v) {
    const double i = v / kFineGrid.across + 0.8 * Uniform(2 * v), j = v % kFineGrid.across + 0.8 * Uniform(2 * v + 1);
    Place(i * kCoarseGrid.around / kFineGrid.around, j * kCoarseGrid.across / kFineGrid.across, coarse_places,
          fine_places[v], levels);
  }
  levels.plain_weights.assign(levels.weights.begin(), levels.weights.end());
  return levels;
}

}  // namespace sinew::bench
