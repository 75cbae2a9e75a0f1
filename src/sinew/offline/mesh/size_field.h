// How long edges should be on a surface: short where it curves tightly (which is also where it is thin), changing
// slowly from place to place.
#ifndef SINEW_OFFLINE_MESH_SIZE_FIELD_H_
#define SINEW_OFFLINE_MESH_SIZE_FIELD_H_

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "sinew/offline/mesh/extract_surface.h"
#include "sinew/offline/mesh/implicit_surface.h"

namespace sinew {

struct SizeOptions {
  double smallest_radius = 0;  // radii of curvature below this count as this; metres
  double gradation = 0.25;     // how much the radius may grow per distance along the surface
  double exponent = 0.5;       // edge length ~ scale * radius^exponent: 0 is uniform, 1 the same angle everywhere
  double largest_turn = 1.25;  // an edge is never longer than this many radii, however few vertices there are
};

class SizeField {
 public:
  // mesh: on the surface, fine enough to see what matters.
  SizeField(const ImplicitSurface& surface, const FineMesh& mesh, const SizeOptions& options);
  ~SizeField();
  SizeField(const SizeField&) = delete;
  SizeField& operator=(const SizeField&) = delete;

  // The radius of curvature at the sample nearest to a point of the surface.
  double Radius(const Eigen::Vector3d& point) const;
  // The length of edges there, for a scale.
  double Length(double radius, double scale) const;
  // The scale at which about this many vertices cover the mesh that the field was made from. Allows longer edges around
  // tight curves where there are too few vertices for largest_turn.
  double ScaleFor(double vertex_count);

 private:
  struct Tree;
  double CountFor(double scale) const;

  SizeOptions options_;
  std::vector<Eigen::Vector3d> points_;
  std::vector<double> radii_;
  std::vector<double> areas_;
  std::unique_ptr<Tree> tree_;
};

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_SIZE_FIELD_H_
