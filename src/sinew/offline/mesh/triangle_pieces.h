// Cuts the triangles of a crowded mesh into pieces with small boxes. Where triangles are large and lie across each
// other (a fan around one edge, slivers that meet in one tip), most points lie in the boxes of very many of them, and a
// search tree over these boxes excludes next to nothing. Internal to queries.cc.
#ifndef SINEW_OFFLINE_MESH_TRIANGLE_PIECES_H_
#define SINEW_OFFLINE_MESH_TRIANGLE_PIECES_H_

#include <cmath>
#include <vector>

#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew {

// Returns whether a point of the mesh's bounding box lies in the boxes of many triangles on average. Never true of a
// body: small triangles have small boxes.
bool IsCrowded(const TriMesh& mesh);

struct TrianglePieces {
  std::vector<Box> boxes;  // one per piece; those of a triangle cover it. None of a triangle that was there before
  std::vector<int> triangle_of;  // one per piece

  // Returns a distance that no point of the triangle is nearer than: that of its plane, less a margin for rounding; 0
  // for a triangle that is too thin to have a reliable plane.
  double LeastDistance(int triangle, const Eigen::Vector3d& from) const {
    const Plane& plane = planes[triangle];
    return std::abs(plane.normal.dot(from) - plane.offset) - margin;
  }

  struct Plane {
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();  // unit; zero: no plane
    double offset = 0;
  };
  std::vector<Plane> planes;  // one per triangle
  double margin = 0;
};

// Cuts the piece with the largest box in two, again and again, until there are several times as many pieces as
// triangles. Of several copies of a triangle only the first has pieces: all are equally near.
TrianglePieces CutIntoPieces(const TriMesh& mesh);

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_TRIANGLE_PIECES_H_
