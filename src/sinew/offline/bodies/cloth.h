// Surface that is dressed garment by garment: it remembers where on the skin each of its points lies.
#ifndef SINEW_OFFLINE_BODIES_CLOTH_H_
#define SINEW_OFFLINE_BODIES_CLOTH_H_

#include <Eigen/Core>
#include <vector>

#include "sinew/offline/lod/surface.h"
#include "sinew/offline/remesh/remesh_triangles.h"

namespace sinew::bodies {

class Cloth {
 public:
  // fields: one row per point of the surface, which cuts interpolate. surface: must outlive this.
  Cloth(const lod::Surface& surface, const Eigen::MatrixXd& fields);

  int point_count() const { return static_cast<int>(points_.size()); }
  Eigen::RowVectorXd fields(int point) const { return points_[point].fields; }

  // Cuts the surface where `levels`, one per point, pass zero, moves the side below zero outwards and closes the step
  // with a rim. thicknesses: one per point; the cloth is thinner where it has no room, and where it would meet other
  // parts of the surface. Points near the cut are moved onto it instead of leaving slivers.
  void Cover(std::vector<double> levels, std::vector<double> thicknesses);

  // Returns the surface with the map to the skin.
  RemeshedTriangles Result() const;

 private:
  struct Point {
    Eigen::Vector3d position, skin;  // where it is, and where on the skin
    int near = -1;                   // a point of the skin's surface nearby, on the same island
    Eigen::RowVectorXd fields;
  };
  // Layer that is being put on.
  struct Layer {
    std::vector<double> levels, thicknesses;  // one per point
    std::vector<char> covered;                // one per triangle
    std::vector<int> outer;                   // one per point: the copy that moves out, or itself; -1: not covered
    std::vector<Eigen::Vector3d> directions;  // one per point
  };

  Point Between(int a, int b, double share) const;
  void SnapToCut(Layer& layer);
  void SplitAlongCut(Layer& layer);
  void FindDirections(Layer& layer) const;
  void LimitThickness(Layer& layer) const;
  void OpenRim(Layer& layer);
  void MoveOut(Layer& layer);
  TriMesh Mesh() const;

  const lod::Surface& surface_;
  std::vector<Point> points_;
  std::vector<Eigen::Vector3i> triangles_;
  std::vector<int> labels_;  // one per triangle
};

}  // namespace sinew::bodies

#endif  // SINEW_OFFLINE_BODIES_CLOTH_H_
