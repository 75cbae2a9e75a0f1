// Surface that a network works on: the welded points of a character, or points spread evenly over its surface whatever
// its triangles are, and the maps between these and the vertices of the file.
#ifndef SINEW_OFFLINE_GRAPHNET_WORKING_SURFACE_H_
#define SINEW_OFFLINE_GRAPHNET_WORKING_SURFACE_H_

#include <array>
#include <vector>

#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/mesh/surface_map.h"

namespace sinew::graphnet {

class WorkingSurface {
 public:
  // The welded points as they are. surface: of the character.
  explicit WorkingSurface(const RestSurface& surface);
  // About this number of points, by isotropic remeshing: long edges are split as well as short ones collapsed, so that
  // a coarse mesh and a fine one of the same body have nearly the same working surface. Weights are interpolated. The
  // surface must have an area.
  WorkingSurface(const RestSurface& surface, int points);

  Points rest;  // in model space
  Triangles triangles;
  std::vector<Influences> influences;  // one per point

  int points() const { return static_cast<int>(influences.size()); }
  // Takes a field from the points to the vertices of the file: each gets a mean of at most three points.
  Points ToVertices(const Points& field) const;
  // Takes a field of the vertices to the points: each gets a mean of the corners of the file's triangle in which it
  // lies.
  Points FromVertices(const Points& field) const;

 private:
  void Take(const RestSurface& surface);
  void Remesh(int points);

  // A mean of three rows.
  struct Mix {
    std::array<int, 3> rows;
    std::array<float, 3> weights;
  };
  static Points MixRows(const std::vector<Mix>& mixes, const Points& field);

  std::vector<Mix> of_vertices_;  // one per vertex: points
  std::vector<Mix> of_points_;    // one per point: vertices
};

// Returns how many points a surface of this area has with edges of this mean length.
int PointsOfEdge(double area, double edge);

}  // namespace sinew::graphnet

#endif  // SINEW_OFFLINE_GRAPHNET_WORKING_SURFACE_H_
