// How long edges should be on a surface: short where it curves tightly (which is also where it is thin), changing
// slowly from place to place.
#ifndef SINEW_OFFLINE_MESH_SIZE_FIELD_H_
#define SINEW_OFFLINE_MESH_SIZE_FIELD_H_

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <vector>

#include "sinew/offline/mesh/extract_surface.h"
#include "sinew/offline/mesh/implicit_surface.h"
#include "sinew/offline/mesh/nearest_point.h"

namespace sinew {

struct SizeOptions {
  double smallest_radius = 0;  // radii of curvature below this count as this; metres
  double gradation = 0.25;     // how much the radius may grow per distance along the surface
  double exponent = 0.5;       // edge length ~ scale * radius^exponent: 0 is uniform, 1 the same angle everywhere
  double largest_turn = 1.25;  // an edge is never longer than this many radii, however few vertices there are
  // What may be lost first where there are too few vertices for every tight curve: at this place, radii below this
  // count as this; metres. Null: nothing more than anything else.
  std::function<double(const Eigen::Vector3d&)> spare;
};

class SizeField {
 public:
  // mesh: on the surface, fine enough to see what matters.
  SizeField(const ImplicitSurface& surface, const FineMesh& mesh, const SizeOptions& options);
  ~SizeField();
  SizeField(const SizeField&) = delete;
  SizeField& operator=(const SizeField&) = delete;

  // The radius of curvature at the sample nearest to a point of the surface, as far as ScaleFor() found room for it.
  double Radius(const Eigen::Vector3d& point) const;
  // The length of edges there, for a scale.
  double Length(double radius, double scale) const;
  // The scale at which about this many vertices cover the mesh that the field was made from. Where there are too few
  // vertices for largest_turn everywhere, gives up what can be spared, and allows longer edges around tight curves.
  double ScaleFor(double vertex_count);

 private:
  void FindRadii(const ImplicitSurface& surface, const FineMesh& mesh);
  double CountFor(double scale) const;
  void GiveUp(double share);

  SizeOptions options_;
  std::vector<Eigen::Vector3d> points_;
  std::vector<double> all_radii_, spared_radii_;  // with every tight curve; without what can be spared
  std::vector<double> radii_;                     // between the two
  std::vector<double> areas_;
  std::unique_ptr<NearestPoint> tree_;
};

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_SIZE_FIELD_H_
