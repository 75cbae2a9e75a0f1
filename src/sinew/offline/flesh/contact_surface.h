// Coarser version of the skin for contact: fewer points, evenly spread, with triangles between them.
#ifndef SINEW_OFFLINE_FLESH_CONTACT_SURFACE_H_
#define SINEW_OFFLINE_FLESH_CONTACT_SURFACE_H_

#include <vector>

#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew::flesh {

struct ContactSurface {
  TriMesh mesh;                   // contact points and the triangles between them, at rest
  std::vector<int> skin_of;       // one per point: index of the skin vertex that it is
  std::vector<int> point_of;      // one per skin vertex: index of the point that it belongs to; -1 if none
  std::vector<double> areas;      // one per point: area of the skin that it represents
  std::vector<double> thickness;  // one per point: thickness of the flesh below it (see MeasureThickness)
};

// Thickness of the flesh below each vertex, measured inwards along its normal; infinite where there is no other side.
std::vector<double> MeasureThickness(const TriMesh& skin);

// Selects vertices of the skin as contact points, no two of them nearer than the spacing unless they face away from
// each other. Each vertex belongs to the point that is nearest along the skin's edges; where three of those regions
// meet there is a triangle. A skin that is coarser than the spacing is taken as it is.
ContactSurface SpreadContactPoints(const TriMesh& skin, double spacing);

}  // namespace sinew::flesh

#endif  // SINEW_OFFLINE_FLESH_CONTACT_SURFACE_H_
