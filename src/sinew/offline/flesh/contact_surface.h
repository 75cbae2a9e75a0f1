// The skin as contact sees it: fewer points, evenly spread, and the triangles between them.
#ifndef SINEW_OFFLINE_FLESH_CONTACT_SURFACE_H_
#define SINEW_OFFLINE_FLESH_CONTACT_SURFACE_H_

#include <vector>

#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew::flesh {

struct ContactSurface {
  TriMesh mesh;
  std::vector<int> skin_of;       // one per point: the skin's vertex that it is
  std::vector<int> point_of;      // one per vertex of the skin: the point that it belongs to; -1: none
  std::vector<double> areas;      // one per point: the skin's area that it stands for
  std::vector<double> thickness;  // one per point: through the flesh below it
};

// The way through the flesh below each vertex, along its normal; infinite where there is no other side.
std::vector<double> MeasureThickness(const TriMesh& skin);

// Points are vertices of the skin, no two nearer than the spacing, unless they face away from each
// other. Each vertex belongs to the point nearest along the skin's edges; where three of those regions meet is a
// triangle. A skin that is coarser than the spacing is taken as it is.
ContactSurface SpreadContactPoints(const TriMesh& skin, double spacing);

}  // namespace sinew::flesh

#endif  // SINEW_OFFLINE_FLESH_CONTACT_SURFACE_H_
