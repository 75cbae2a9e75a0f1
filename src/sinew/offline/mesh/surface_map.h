// Map from the vertices of one mesh to places on another surface: what remeshing and dressing give back, so that
// anything known of the source (weights, UVs, deformed shapes) can be carried over.
#ifndef SINEW_OFFLINE_MESH_SURFACE_MAP_H_
#define SINEW_OFFLINE_MESH_SURFACE_MAP_H_

#include <Eigen/Core>
#include <vector>

#include "sinew/offline/mesh/extract_surface.h"
#include "sinew/offline/mesh/queries.h"
#include "sinew/offline/mesh/weld.h"

namespace sinew {

// One entry per vertex of the new mesh in each list.
struct SurfaceMap {
  std::vector<int> triangles;                // triangle of the source
  std::vector<Eigen::Vector3f> barycentric;  // of its corners; none negative, sum 1
  std::vector<Eigen::Vector3f> offsets;      // from that place of the source to the vertex, both at rest

  int count() const { return static_cast<int>(triangles.size()); }
  void Add(int triangle, const Eigen::Vector3d& weights, const Eigen::Vector3d& offset);
};

// Maps points to the closest places of a surface with at least one triangle.
SurfaceMap MapToClosest(const SurfaceQuery& source, const std::vector<Eigen::Vector3d>& points);

// Maps points to the closest places of the island (triangles connected through vertices) that a vertex of the source
// belongs to. near: one vertex of the source per point; where it has no triangle, any island will do.
SurfaceMap MapWithinIslands(const FineMesh& source, const std::vector<Eigen::Vector3d>& points,
                            const std::vector<int>& near);

// Returns the map from a to c, given those from a to b and from b to c: the place on c is the one nearest to where the
// places of b's corners are in the mean, and offsets add up.
SurfaceMap Chain(const SurfaceMap& first, const TriMesh& b, const SurfaceMap& second, const FineMesh& c);

// Returns values on the new mesh, interpolated on the source. values: one row per vertex of the source.
Eigen::MatrixXd Interpolate(const SurfaceMap& map, const Triangles& source, const Eigen::MatrixXd& values);

// Carries deformed shapes of a source over to the mesh that was mapped onto it. Offsets turn with the source's surface.
class SurfaceFollower {
 public:
  // source: at rest, in the space of the map's offsets; vertices at equal positions are one point of the surface.
  // Throws UsageError if the map leads to triangles or vertices that the source does not have.
  SurfaceFollower(const TriMesh& source, SurfaceMap map);

  // Returns the new mesh's positions. deformed: one row per vertex of the source. May be called from any thread.
  Points Follow(const Points& deformed) const;
  int vertex_count() const { return map_.count(); }
  int source_vertices() const { return static_cast<int>(welding_.welded_of.size()); }

 private:
  // Returns orthonormal frames of the surface, one per welded vertex.
  std::vector<Eigen::Matrix3f> Frames(const Points& positions) const;

  SurfaceMap map_;
  Triangles triangles_;  // of the source
  Welding welding_;
  Triangles welded_;
  std::vector<int> edge_ends_;  // one per welded vertex: a neighbour, which directs its frame; -1: none
  std::vector<Eigen::Matrix3f> rest_frames_;
};

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_SURFACE_MAP_H_
