// Surface of a level as measures need it: how much of it each point stands for, and which pieces enclose a volume.
#ifndef SINEW_OFFLINE_EVALUATE_LEVEL_SURFACE_H_
#define SINEW_OFFLINE_EVALUATE_LEVEL_SURFACE_H_

#include <Eigen/Core>
#include <vector>

#include "sinew/offline/anatomy/body_regions.h"
#include "sinew/offline/evaluate/level_roles.h"
#include "sinew/offline/lod/hierarchy.h"

namespace sinew::evaluate {

struct LevelSurface {
  Triangles triangles;  // as indices of points
  // Share of the rest surface's area per point, a third of each triangle around it; they sum to 1. A surface without
  // any area is shared evenly.
  Eigen::VectorXd areas;
  Eigen::VectorXd soft_areas;  // the same, 0 for points that are not soft
  std::vector<int> joints;     // strongest joint per point
  int joint_count = 0;         // of the skeleton
  // Region of the body per point, that of its strongest joint; empty if errors are not measured by region.
  std::vector<BodyRegion> body_regions;
  // Per triangle: 0 if its piece does not enclose a volume or has no soft points, -1 if the piece is inside out at
  // rest, as some eyes are modelled, otherwise 1.
  std::vector<int> volume_signs;
  double closed_share = 0;  // share of the area that pieces with a volume have; 0: there are none

  double soft_share() const { return soft_areas.sum(); }
};

// rest: points of the level at rest, in model space. roles: one per point. The surface has no body_regions.
LevelSurface SurfaceOf(const lod::Level& level, const Points& rest, const std::vector<Role>& roles);
// Sets LevelSurface::body_regions of a surface of the level.
void FindBodyRegions(const lod::Level& level, LevelSurface& surface);

// Visible properties of a shape of the surface.
struct SurfaceView {
  // Normals of the points, not normalized: the sum of the triangles' around it, each as long as its area.
  Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor> normals;
  double volume = 0;  // that the closed pieces enclose together, in the cube of the unit
};
SurfaceView View(const LevelSurface& surface, const Points& shape);

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_LEVEL_SURFACE_H_
