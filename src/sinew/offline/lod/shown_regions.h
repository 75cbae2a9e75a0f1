// Chooses the regions that a picture shows.
#ifndef SINEW_OFFLINE_LOD_SHOWN_REGIONS_H_
#define SINEW_OFFLINE_LOD_SHOWN_REGIONS_H_

#include <Eigen/Core>
#include <vector>

#include "sinew/offline/lod/hierarchy.h"

namespace sinew::lod {

// Returns at most `count` regions that face a viewer and lie far from each other: first the largest, as it is seen,
// then repeatedly the one whose centre is furthest from those before it. If all face away, any may be chosen, so that
// at least one is returned. toward: unit, from the character to the viewer.
std::vector<int> ShownRegions(const Hierarchy& hierarchy, const Eigen::Vector3d& toward, int count);

}  // namespace sinew::lod

#endif  // SINEW_OFFLINE_LOD_SHOWN_REGIONS_H_
