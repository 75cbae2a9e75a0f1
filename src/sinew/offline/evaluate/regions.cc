#include "sinew/offline/evaluate/regions.h"

#include <algorithm>
#include <cmath>

namespace sinew::evaluate {

std::vector<JointRegion> RegionsOf(const Skeleton& skeleton, const LevelSurface& surface,
                                   const std::vector<const ShapeTally*>& tallies) {
  std::vector<double> areas(surface.joint_count, 0);
  for (Eigen::Index p = 0; p < surface.soft_areas.size(); ++p) areas[surface.joints[p]] += surface.soft_areas[p];
  std::vector<JointRegion> regions;
  for (int j = 0; j < surface.joint_count; ++j) {
    if (areas[j] <= 0) continue;
    JointRegion& region = regions.emplace_back();
    region.joint = skeleton.joints[j].name;
    region.share = areas[j];
    for (const ShapeTally* tally : tallies) {
      region.rms.push_back(tally->frames() == 0 ? 0
                                                : std::sqrt(tally->joint_squares()[j] / tally->frames() / areas[j]));
    }
  }
  return regions;
}

RegionChanges FindChanges(const std::vector<JointRegion>& regions, size_t method, double exact, size_t most) {
  const auto gain = [&](size_t r) { return regions[r].rms[0] - regions[r].rms[method]; };
  RegionChanges changes;
  for (size_t r = 0; r < regions.size(); ++r) {
    if (gain(r) > exact) changes.gains.push_back(r);
    if (gain(r) < -exact) changes.losses.push_back(r);
  }
  const auto keep_largest = [&](std::vector<size_t>& list) {
    std::stable_sort(list.begin(), list.end(),
                     [&](size_t a, size_t b) { return std::abs(gain(a)) > std::abs(gain(b)); });
    if (list.size() > most) list.resize(most);
  };
  keep_largest(changes.gains);
  keep_largest(changes.losses);
  return changes;
}

}  // namespace sinew::evaluate
