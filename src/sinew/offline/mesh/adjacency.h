// Neighbours of vertices and triangles, as compressed rows; every row is increasing and without repetition.
#ifndef SINEW_OFFLINE_MESH_ADJACENCY_H_
#define SINEW_OFFLINE_MESH_ADJACENCY_H_

#include "sinew/offline/mesh/csr.h"
#include "sinew/offline/mesh/edges.h"

namespace sinew {

// Triangles that have a vertex as a corner, one row per vertex, triangles with equal corners included.
Csr VertexTriangles(const Triangles& triangles, int vertex_count);

// Vertices at the other ends of a vertex's edges, one row per vertex.
Csr VertexVertices(const EdgeTable& edges, int vertex_count);

// Triangles that share an edge with a triangle, one row per triangle: three on a closed manifold.
Csr TriangleTriangles(const EdgeTable& edges);

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_ADJACENCY_H_
