// Makes level 0: the surface reduced to n_0 points, whose columns of U_0 are the regions.
#ifndef SINEW_OFFLINE_LOD_REGIONS_H_
#define SINEW_OFFLINE_LOD_REGIONS_H_

#include "sinew/offline/lod/surface.h"
#include "sinew/offline/lod/upsampling.h"

namespace sinew::lod {

struct Regions {
  Upsampling U0;           // upsampling from the regions to the points of level 1
  int joined_islands = 0;  // number of islands without regions of their own
};

// Makes about `count` regions. Islands whose share of the area is worth fewer than four of them (teeth, buttons,
// lashes) get none: all their points take the row of the nearest point of an island that does. Seams do not matter
// here.
Regions MakeRegions(const Surface& level_1, int count);

}  // namespace sinew::lod

#endif  // SINEW_OFFLINE_LOD_REGIONS_H_
