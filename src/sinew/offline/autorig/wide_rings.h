// Rings of edges that lie further away than an edge's own triangles, so that few convolutions see a whole limb.
#ifndef SINEW_OFFLINE_AUTORIG_WIDE_RINGS_H_
#define SINEW_OFFLINE_AUTORIG_WIDE_RINGS_H_

#include "sinew/offline/learn/layers/mesh_conv.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew::autorig {

// Returns rings whose edges are `distance` away along the surface: from the middle of every edge four straight walks
// start, halfway between the edge and its perpendicular, in the directions of the edges a, b, c and d of
// layers::RingsOf(); each ends at the edge next to it. A walk that comes to a boundary or to an edge of three triangles
// ends there. Bending a body changes little of its rings. edges: of the surface.
layers::EdgeRings WideRings(const TriMesh& surface, const EdgeTable& edges, double distance);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_WIDE_RINGS_H_
