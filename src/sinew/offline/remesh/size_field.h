// Desired edge lengths on a surface: short where it curves tightly (which is also where it is thin), changing slowly
// from place to place.
#ifndef SINEW_OFFLINE_REMESH_SIZE_FIELD_H_
#define SINEW_OFFLINE_REMESH_SIZE_FIELD_H_

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <vector>

#include "sinew/offline/mesh/extract_surface.h"
#include "sinew/offline/mesh/implicit_surface.h"
#include "sinew/offline/mesh/nearest_point.h"

namespace sinew {

struct SizeOptions {
  double smallest_radius = 0;  // lower limit of the radii of curvature; metres
  double gradation = 0.25;     // largest growth of the radius per distance along the surface
  double exponent = 0.5;       // edge length ~ scale * radius^exponent: 0 is uniform, 1 the same angle everywhere
  double largest_turn = 1.25;  // an edge is never longer than this many radii, however few vertices there are
  // Details that may be lost first where there are too few vertices for every tight curve: lower limit of the radii at
  // a place, in metres. Null: all details count the same.
  std::function<double(const Eigen::Vector3d&)> spare;
};

class SizeField {
 public:
  // mesh: on the surface, fine enough to see what matters.
  SizeField(const ImplicitSurface& surface, const FineMesh& mesh, const SizeOptions& options);
  // Takes given radii of curvature, one per vertex of the mesh, instead of those of an implicit surface.
  SizeField(const FineMesh& mesh, std::vector<double> radii, const SizeOptions& options);
  ~SizeField();
  SizeField(const SizeField&) = delete;
  SizeField& operator=(const SizeField&) = delete;

  // Returns the radius of curvature at the sample nearest to a point of the surface; larger where ScaleFor() had to
  // give up details.
  double Radius(const Eigen::Vector3d& point) const;
  // Returns the desired edge length at such a radius, for a scale.
  double Length(double radius, double scale) const;
  // Returns the scale at which about this many vertices cover the mesh that the field was made from. Where there are
  // too few vertices for largest_turn everywhere, gives up details that can be spared, and allows longer edges around
  // tight curves. Asked again for the same number it changes nothing, so that several threads may then ask at once.
  double ScaleFor(double vertex_count);
  // Returns the number of vertices that cover the mesh at a scale, about.
  double CountFor(double scale) const;

 private:
  void FindAreas(const FineMesh& mesh);
  void FindRadii(const ImplicitSurface& surface, const FineMesh& mesh);
  // Makes the radii change slowly along the mesh.
  void SmoothRadii(const FineMesh& mesh);
  void GiveUp(double share);
  double FindScale(double vertex_count);

  SizeOptions options_;
  std::vector<Eigen::Vector3d> points_;
  std::vector<double> all_radii_, spared_radii_;  // with every tight curve; without what can be spared
  std::vector<double> radii_;                     // between the two
  std::vector<double> areas_;
  double asked_ = -1, scale_ = 0;  // number of vertices that ScaleFor() was asked for last, and its answer
  std::unique_ptr<NearestPoint> tree_;
};

}  // namespace sinew

#endif  // SINEW_OFFLINE_REMESH_SIZE_FIELD_H_
