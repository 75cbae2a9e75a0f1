// The one triangle mesh: positions and triangles, in plain row-major arrays that the runtime's spans can point into.
// Everything else that a vertex may carry (UVs, colours, weights) lives in character/part.h.
#ifndef SINEW_OFFLINE_MESH_TRI_MESH_H_
#define SINEW_OFFLINE_MESH_TRI_MESH_H_

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace sinew {

// One row per point.
using Points = Eigen::Matrix<float, Eigen::Dynamic, 3, Eigen::RowMajor>;
// One row per triangle, counter-clockwise seen from outside.
using Triangles = Eigen::Matrix<int, Eigen::Dynamic, 3, Eigen::RowMajor>;

using Box = Eigen::AlignedBox3f;

struct TriMesh {
  Points positions;
  Triangles triangles;

  int vertex_count() const { return static_cast<int>(positions.rows()); }
  int triangle_count() const { return static_cast<int>(triangles.rows()); }
};

// Empty for a mesh without vertices.
Box BoundingBox(const Points& positions);

// Angle-weighted vertex normals; zero where a vertex has no triangle with an area.
Points VertexNormals(const TriMesh& mesh);

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_TRI_MESH_H_
