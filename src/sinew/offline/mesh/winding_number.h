// Inside-outside test for any triangles by the generalized winding number: 1 inside a closed surface that faces
// outwards, 0 outside, and smoothly in between where the surface has holes (A. Jacobson, L. Kavan, O. Sorkine-Hornung,
// "Robust
// Inside-Outside Segmentation using Generalized Winding Numbers", 2013). Far parts of the surface are summed up by a
// short expansion (G. Barill, N. G. Dickson, R. Schmidt, D. I. W. Levin, A. Jacobson, "Fast Winding Numbers for Soups
// and Clouds", 2018).
#ifndef SINEW_OFFLINE_MESH_WINDING_NUMBER_H_
#define SINEW_OFFLINE_MESH_WINDING_NUMBER_H_

#include <array>
#include <vector>

#include "sinew/offline/mesh/box_tree.h"

namespace sinew {

// Returns the winding number, exact up to rounding, in time proportional to the number of triangles.
double WindingNumberByDefinition(const TriMesh& mesh, const Eigen::Vector3f& point);

// Winding numbers of many points for one mesh: logarithmic time per point, within about a hundredth of the definition.
class WindingNumber {
 public:
  // Keeps a copy of what it needs.
  explicit WindingNumber(const TriMesh& mesh);

  double operator()(const Eigen::Vector3f& point) const;
  // Returns whether the absolute winding number is above one half. Either orientation of the surface counts: a body
  // that faces inwards still has an inside.
  bool Inside(const Eigen::Vector3f& point) const;

 private:
  // Far field of the triangles below a node, around their centre of area p (the paper's p-tilde).
  struct FarField {
    Eigen::Vector3d p = Eigen::Vector3d::Zero();
    double radius = 0;  // radius of a ball around p that holds all of them
    double area = 0;
    // Integrals over the surface, with its normal n, of n, n_i (x - p)_j and n_i (x - p)_j (x - p)_k.
    Eigen::Vector3d first = Eigen::Vector3d::Zero();
    Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
    std::array<Eigen::Matrix3d, 3> third = {Eigen::Matrix3d::Zero(), Eigen::Matrix3d::Zero(), Eigen::Matrix3d::Zero()};

    void AddMoved(const FarField& other);
    double Evaluate(const Eigen::Vector3d& d) const;
  };
  FarField OfLeaf(const Bvh::Node& leaf) const;

  TriMesh mesh_;
  Bvh bvh_;
  std::vector<FarField> far_;  // one per node
};

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_WINDING_NUMBER_H_
