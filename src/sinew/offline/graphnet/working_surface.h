// Surface that a network works on: the welded points of a character, or a simplified level of them, and the maps
// between these and the vertices of the file.
#ifndef SINEW_OFFLINE_GRAPHNET_WORKING_SURFACE_H_
#define SINEW_OFFLINE_GRAPHNET_WORKING_SURFACE_H_

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/lod/upsampling.h"

namespace sinew::graphnet {

class WorkingSurface {
 public:
  // The welded points as they are. surface: of the character.
  explicit WorkingSurface(const RestSurface& surface);
  // A level of about this number of points, made by simplification.
  WorkingSurface(const Character& character, const std::string& file, int points);

  Points rest;  // in model space
  Triangles triangles;
  std::vector<Influences> influences;  // one per point

  int points() const { return static_cast<int>(influences.size()); }
  // Takes a field from the points to the vertices of the file: each gets a mean of at most three points.
  Points ToVertices(const Points& field) const;
  // Takes a field of the vertices to the points: the field on the points whose upsampling is nearest to it in least
  // squares.
  Points FromVertices(const Points& field) const;

 private:
  void Take(const RestSurface& surface);

  std::vector<std::array<int, 3>> corners_;    // one per vertex
  std::vector<std::array<float, 3>> weights_;  // of these
  // Of a simplified level: what its operators call points. Empty otherwise.
  std::vector<int> first_vertex_;  // one per fine point
  std::vector<int> point_of_;      // one per coarse point: index into `rest`
  std::unique_ptr<lod::Coarsening> coarsening_;
};

// Returns how many points a surface of this area has with edges of this mean length.
int PointsOfEdge(double area, double edge);

}  // namespace sinew::graphnet

#endif  // SINEW_OFFLINE_GRAPHNET_WORKING_SURFACE_H_
