// Who is whose neighbour, as compressed rows; every row is increasing and without repetition.
#ifndef SINEW_OFFLINE_MESH_ADJACENCY_H_
#define SINEW_OFFLINE_MESH_ADJACENCY_H_

#include "sinew/offline/mesh/csr.h"
#include "sinew/offline/mesh/edges.h"

namespace sinew {

// The triangles that have a vertex as a corner, those with equal corners included.
Csr VertexTriangles(const Triangles& triangles, int vertex_count);

// The vertices at the other ends of a vertex's edges.
Csr VertexVertices(const EdgeTable& edges, int vertex_count);

// The triangles that share an edge with a triangle: three on a closed manifold.
Csr TriangleTriangles(const EdgeTable& edges);

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_ADJACENCY_H_
