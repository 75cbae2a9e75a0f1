// Tracks the positions of the finer level's points on the surface that is being simplified.
#ifndef SINEW_OFFLINE_MESH_TRACKER_H_
#define SINEW_OFFLINE_MESH_TRACKER_H_

#include <Eigen/Core>
#include <vector>

#include "sinew/offline/mesh/flatten.h"

namespace sinew {

class Tracker {
 public:
  struct Location {
    int triangle = -1;  // -1: nowhere
    Eigen::Vector3d barycentric = Eigen::Vector3d::Zero();
  };

  // Forgets everything. No point is anywhere, no vertex owns one.
  void Reset(int points, int triangles, int vertices);
  void Put(int point, int triangle, const Eigen::Vector3d& barycentric);
  // A vertex owns the points in whose barycentric coordinates it has more than one half.
  void AddOwned(int vertex, int count) { owned_[vertex] += count; }

  // Carries the points of the patch's triangles from the triangulation before the collapse to the one after it, where
  // Patch::kV is the mesh's vertex of Patch::kJ. Returns false and does nothing if a vertex would own no point any
  // more. triangles_before, triangles_after: the mesh's numbers of the patch's triangles; vertices: those of its local
  // vertices.
  bool Move(const Patch& patch, const Plane& uv, const std::vector<int>& triangles_before,
            const std::vector<int>& triangles_after, const std::vector<int>& vertices);

  const std::vector<Location>& locations() const { return locations_; }
  // Calls visit(point) for the points in a triangle.
  template <typename Visit>
  void VisitPoints(int triangle, const Visit& visit) const {
    for (int p = head_[triangle]; p >= 0; p = next_[p]) visit(p);
  }

 private:
  struct Moved {
    int point, triangle;  // triangle: of the patch, after
    Eigen::Vector3d barycentric;
  };

  std::vector<Location> locations_;
  std::vector<int> next_, head_;  // lists of the points in each triangle
  std::vector<int> owned_;        // per vertex
  std::vector<Moved> moved_;      // a member only to keep its memory from call to call
  std::vector<int> change_;
};

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_TRACKER_H_
