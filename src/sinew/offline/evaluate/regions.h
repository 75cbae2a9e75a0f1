// Errors region by region: the soft points that follow one joint most.
#ifndef SINEW_OFFLINE_EVALUATE_REGIONS_H_
#define SINEW_OFFLINE_EVALUATE_REGIONS_H_

#include <string>
#include <vector>

#include "sinew/offline/evaluate/shape_measures.h"

namespace sinew::evaluate {

struct JointRegion {
  std::string joint;        // name of the joint that is strongest at its points
  double share = 0;         // of the surface's area
  std::vector<double> rms;  // per method: root mean square distance to the truth over the region and all frames
};

// Returns the regions of a level, in the order of the skeleton's joints; joints without soft points have none.
// tallies: one per method, over the same frames; without frames all errors are 0.
std::vector<JointRegion> RegionsOf(const Skeleton& skeleton, const LevelSurface& surface,
                                   const std::vector<const ShapeTally*>& tallies);

// Regions in which a method gains or loses most against linear blend skinning, as indices into the regions.
struct RegionChanges {
  std::vector<size_t> gains, losses;  // largest first
};
// method: its index; linear blend is the first one. exact: differences up to this one do not count. most: number of
// regions of each kind.
RegionChanges FindChanges(const std::vector<JointRegion>& regions, size_t method, double exact, size_t most);

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_REGIONS_H_
