// How good the levels of a hierarchy are.
#ifndef SINEW_OFFLINE_LOD_HIERARCHY_MEASURES_H_
#define SINEW_OFFLINE_LOD_HIERARCHY_MEASURES_H_

#include <vector>

#include "sinew/offline/lod/hierarchy.h"
#include "sinew/offline/mesh/surface_distance.h"

namespace sinew::lod {

struct LevelMeasures {
  int points = 0, vertices = 0, triangles = 0;
  SurfaceDistance geometric;  // between the level's surface and the finest one's, at rest, both ways; model units
  double worst_angle = 0;     // the smallest angle of a triangle; radians
  // Between the two surfaces in poses, both ways: the mean of squares and the largest over all poses.
  SurfaceDistance skinning;
};

struct MeasureOptions {
  int samples = 100'000;         // on each surface at rest
  int samples_in_pose = 10'000;  // on each surface in each pose
};

// One per level, coarsest first. Poses: one transform per joint of the skeleton each; none: skinning stays 0.
std::vector<LevelMeasures> MeasureHierarchy(const Hierarchy& hierarchy, const std::vector<Pose>& poses,
                                            const MeasureOptions& options = {});

// The distance in poses between two characters of one skeleton, as above.
SurfaceDistance PosedDistance(const Character& a, const Character& b, const std::vector<Pose>& poses, int samples);

// All parts as one mesh, in a pose or at rest.
TriMesh WholeMesh(const Character& character, const Pose& pose);

// The level's character with the weights of the finest vertex nearest to each of its own: what simplification without
// coarsening operators leaves users with. For comparison.
Character WithNearestWeights(const Character& level, const Character& finest);

}  // namespace sinew::lod

#endif  // SINEW_OFFLINE_LOD_HIERARCHY_MEASURES_H_
