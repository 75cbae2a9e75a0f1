// Measures the quality of a hierarchy's levels.
#ifndef SINEW_OFFLINE_LOD_HIERARCHY_MEASURES_H_
#define SINEW_OFFLINE_LOD_HIERARCHY_MEASURES_H_

#include <vector>

#include "sinew/offline/lod/hierarchy.h"
#include "sinew/offline/mesh/surface_distance.h"

namespace sinew::lod {

struct LevelMeasures {
  int points = 0, vertices = 0, triangles = 0;
  SurfaceDistance geometric;  // between the level's surface and the finest one's, at rest, both ways; model units
  double worst_angle = 0;     // smallest angle of a triangle; radians
  // Distance between the two surfaces in poses, both ways: root mean square and largest over all poses.
  SurfaceDistance skinning;
};

struct MeasureOptions {
  int samples = 100'000;         // sample points on each surface at rest
  int samples_in_pose = 10'000;  // sample points on each surface in each pose
};

// Measures every level, coarsest first. poses: each with one transform per joint of the skeleton; empty: skinning stays
// 0.
std::vector<LevelMeasures> MeasureHierarchy(const Hierarchy& hierarchy, const std::vector<Pose>& poses,
                                            const MeasureOptions& options = {});

// Returns the distance in poses between two characters of one skeleton, as LevelMeasures::skinning.
SurfaceDistance PosedDistance(const Character& a, const Character& b, const std::vector<Pose>& poses, int samples);

// Returns all parts as one mesh, in a pose or at rest.
TriMesh WholeMesh(const Character& character, const Pose& pose);

// Returns the level's character with each vertex's weights from the nearest finest vertex, for comparison: this is what
// simplification without coarsening operators leaves users with.
Character WithNearestWeights(const Character& level, const Character& finest);

}  // namespace sinew::lod

#endif  // SINEW_OFFLINE_LOD_HIERARCHY_MEASURES_H_
