#include "sinew/offline/poses/sample_clear_poses.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <utility>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/poses/human_poses.h"

namespace sinew::poses {
namespace {

constexpr int kTenths = 10;

int TenthOf(const AngleRange& range, double angle) {
  return std::clamp(static_cast<int>(kTenths * (angle - range.min) / range.width()), 0, kTenths - 1);
}

}  // namespace

RangeCoverage MeasureCoverage(const Articulation& articulation, const JointLimits& limits,
                              const std::vector<Pose>& poses) {
  std::vector<std::array<std::bitset<kTenths>, 3>> seen(limits.size());
  for (const Pose& pose : poses) {
    const std::vector<Eigen::Quaterniond> deltas = articulation.Deltas(pose);
    for (size_t j = 0; j < limits.size(); ++j) {
      const auto [bend, side, twist] = ToSwingTwist(limits[j], deltas[j]);
      if (limits[j].bend.width() > 0) seen[j][0].set(TenthOf(limits[j].bend, bend));
      if (limits[j].side.width() > 0) seen[j][1].set(TenthOf(limits[j].side, side));
      if (limits[j].twist.width() > 0) seen[j][2].set(TenthOf(limits[j].twist, twist));
    }
  }
  // Average over ranges; ranges of width 0 have no tenths set.
  RangeCoverage coverage;
  double sum = 0;
  int ranges = 0;
  for (size_t j = 0; j < limits.size(); ++j) {
    for (const auto& tenths : seen[j]) {
      if (limits[j].free || tenths.none()) continue;
      const double share = static_cast<double>(tenths.count()) / kTenths;
      sum += share, ++ranges;
      if (!coverage.least_joint.empty() && share >= coverage.least) continue;
      coverage.least = share;
      coverage.least_joint = articulation.skeleton().joints[j].name;
    }
  }
  if (ranges > 0) coverage.mean = sum / ranges;
  return coverage;
}

ClearSamples SampleClearPoses(const Character& character, const Articulation& articulation, const JointLimits& limits,
                              const ClearSampleOptions& options) {
  constexpr int kMaxTries = 5;
  const JointLimits scaled = ScaledLimits(limits, options.sample.amount);
  const PoseClearance clearance(character, articulation, scaled, options.clear);
  const int count = options.sample.count;
  // Draw and clear `count` samples at a time until enough are accepted, or kMaxTries * count were drawn.
  ClearSamples samples;
  std::vector<std::pair<int, ClearedPose>> passed_over;
  for (int first = 0; first < kMaxTries * count && static_cast<int>(samples.poses.size()) < count; first += count) {
    const std::vector<Pose> drawn = DrawPosesFrom(first, articulation, limits, options.sample);
    if (first == 0) samples.before = MeasureCoverage(articulation, scaled, drawn);
    std::vector<ClearedPose> cleared(count);
    ParallelFor(count, 4, [&](int i) { cleared[i] = clearance.Clear(drawn[i]); });
    for (int i = 0; i < count && static_cast<int>(samples.poses.size()) < count; ++i) {
      if (!cleared[i].clear || cleared[i].turn > options.max_turn) {
        ++samples.rejected;
        passed_over.emplace_back(first + i, std::move(cleared[i]));
        continue;
      }
      samples.corrected += cleared[i].turn > 0;
      samples.poses.push_back(std::move(cleared[i].pose));
      samples.indices.push_back(first + i);
    }
  }
  // Fill up with rejected samples if too few were accepted: clear ones first, and those before others that were turned
  // least.
  std::stable_sort(passed_over.begin(), passed_over.end(), [](const auto& a, const auto& b) {
    return std::pair(!a.second.clear, a.second.turn) < std::pair(!b.second.clear, b.second.turn);
  });
  for (size_t i = 0; static_cast<int>(samples.poses.size()) < count; ++i) {
    auto& [index, cleared] = passed_over[i];
    --samples.rejected;
    samples.corrected += cleared.turn > 0;
    samples.left += !cleared.clear;
    samples.poses.push_back(std::move(cleared.pose));
    samples.indices.push_back(index);
  }
  samples.coverage = MeasureCoverage(articulation, scaled, samples.poses);
  return samples;
}

}  // namespace sinew::poses
