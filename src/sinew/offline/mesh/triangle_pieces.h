// Cuts the triangles of a crowded mesh into pieces with small boxes. Where triangles are large and lie across each
// other (a fan around one edge, slivers that meet in one tip), most points lie in the boxes of very many of them, and a
// search tree over these boxes excludes next to nothing. Internal to queries.cc.
#ifndef SINEW_OFFLINE_MESH_TRIANGLE_PIECES_H_
#define SINEW_OFFLINE_MESH_TRIANGLE_PIECES_H_

#include <algorithm>
#include <vector>

#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew {

// Returns whether a point of the mesh's bounding box lies in the boxes of many triangles on average. Never true of a
// body: small triangles have small boxes.
bool IsCrowded(const TriMesh& mesh);

struct TrianglePieces {
  std::vector<Box> boxes;  // one per piece; those of a triangle cover it. None of a triangle that was there before
  std::vector<int> triangle_of;  // one per piece

  // Returns the square of a distance that no point of the triangle is nearer than, but for rounding: to its plane, and
  // in its plane beyond one of its edges. 0 for a triangle that is too thin to have a reliable plane.
  double LeastSquaredDistance(int triangle, const Eigen::Vector3d& from) const {
    const Planes& own = planes[triangle];
    const double across = own.normal.dot(from) - own.offset;
    const double along = std::max(0.0, (own.edge_normals * from - own.edge_offsets).maxCoeff());
    return across * across + along * along;
  }

  struct Planes {
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();  // unit; zero: no plane
    double offset = 0;
    Eigen::Matrix3d edge_normals = Eigen::Matrix3d::Zero();  // rows: in the plane, unit, out of the triangle
    Eigen::Vector3d edge_offsets = Eigen::Vector3d::Zero();
  };
  std::vector<Planes> planes;  // one per triangle
};

// Cuts the piece with the largest box in two, again and again, until there are several times as many pieces as
// triangles. Of several copies of a triangle only the first has pieces: all are equally near.
TrianglePieces CutIntoPieces(const TriMesh& mesh);

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_TRIANGLE_PIECES_H_
