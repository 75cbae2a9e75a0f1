// Contact surface of the flesh simulation: a coarser version of the skin, made of evenly spread skin vertices with
// triangles between them.
#ifndef SINEW_OFFLINE_FLESH_CONTACT_SURFACE_H_
#define SINEW_OFFLINE_FLESH_CONTACT_SURFACE_H_

#include <vector>

#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew::flesh {

struct ContactSurface {
  TriMesh mesh;                   // contact points and the triangles between them, at rest
  std::vector<int> skin_of;       // one per point: index of the skin vertex that was selected
  std::vector<int> point_of;      // one per skin vertex: index of the point it belongs to; -1 if edges lead to none
  std::vector<double> areas;      // one per point: area of the skin that it represents
  std::vector<double> thickness;  // one per point: thickness of the flesh below it (see MeasureThickness)
};

// Returns the thickness of the flesh below each vertex: the distance along the inward normal to the opposite side of
// the skin; infinite where the ray hits nothing.
std::vector<double> MeasureThickness(const TriMesh& skin);

// Selects vertices of the skin as contact points, no two of them nearer than the spacing unless they face away from
// each other (normals more than a right angle apart). Each vertex belongs to the point that is nearest along the skin's
// edges; where the regions of three points meet there is a triangle. If the skin is coarser than the spacing, all its
// vertices and triangles are kept.
ContactSurface SpreadContactPoints(const TriMesh& skin, double spacing);

}  // namespace sinew::flesh

#endif  // SINEW_OFFLINE_FLESH_CONTACT_SURFACE_H_
