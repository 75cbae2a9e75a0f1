#include "sinew/offline/poses/draws.h"

#include <cmath>

#include "sinew/offline/poses/human_poses.h"

namespace sinew::poses {
namespace {

// Offsets of the seed.
constexpr uint64_t kWide = 0, kInner = 1000, kUsual = 1250, kRare = 1500;

}  // namespace

std::vector<Draw> DrawsOf(const DrawShares& shares, const Articulation& articulation, int count, uint64_t seed) {
  const auto share = [](double part, int of) { return static_cast<int>(std::lround(part * of)); };
  const int wide = share(shares.wide, count), others = count - wide;
  std::vector<Draw> draws;
  const auto add = [&](const char* name, const SampleOptions& options) {
    if (options.count > 0) draws.push_back({name, options});
  };
  add("whole limits", {.count = wide, .seed = seed + kWide});
  if (shares.human && IsHuman(articulation)) {
    const int rare = share(shares.rare, others);
    add("as people move", {.count = others - rare, .seed = seed + kUsual, .human_spread = 1});
    add("as people rarely move", {.count = rare, .seed = seed + kRare, .human_spread = shares.rare_spread});
  } else {
    add("inner limits", {.count = others, .seed = seed + kInner, .amount = shares.inner});
  }
  return draws;
}

}  // namespace sinew::poses
