// Weight field of E. Larionov et al., "SkinCells: Sparse Skinning using Voronoi Cells", sections 3.2 and 3.3: every
// joint is a cell made of a few sites, and a point's weights follow from its distances to the cells. The field knows no
// mesh, so that one field serves every level of detail, garment and point set.
//
// For a point x of the unit box, with n cells j, each with sites k:
//
//   d(x, p; F) = sqrt((x - p)^T F^T F (x - p))                         distance to a site, a Mahalanobis metric
//   h(d; t)    = (d^2 / t + t) / 2 if d < t, otherwise d               distance rounded off near the site
//   d(x; P_j)  = min over k of h(d(x, p_jk; F_jk); t_jk)               distance to cell j
//   D(x)       = d(x; P_1) to d(x; P_n), sorted; D(x)_1 is the smallest
//   w(x; S_j)  = (max(c_j, D(x)_(l+1) - d(x; P_j)) / d(x; P_j))^r_j    equation 3, but for the rank l + 1
//   w_i(x)     = w(x; S_i) / sum over j of w(x; S_j)                   equation 2: skinning weight of cell i's joint
//
// Deviation in equation 3: the paper prints D(x)_l, the l-th smallest distance. That gives the l-th nearest joint
// weight zero, so that l = 4 would leave three influences and l = 1 none. Here the cut is at the (l + 1)-th smallest
// distance, and with c = 0 at most l weights are above zero. With n <= l nothing is cut: the numerator is then 1.
//
// Symbols in the code:
//
//   p_jk, F_jk, t_jk    Site::p, Site::F and Site::t of site k of cell j
//   P_j                 SkinCell::sites
//   c_j, r_j            SkinCell::c, SkinCell::r
//   S_j                 SkinCell: P_j, c_j and r_j together
//   l, n                SkinField::l, the size of SkinField::cells
//   h(d; t)             Rounded()
//   d(x; P_j)           CellDistance()
//   D(x)_(l+1)          CutDistance() in field.cc
//   w_i(x)              EvaluateCells()
//
// docs/papers/skincells.md lists where the rest of the paper is, and what else differs.
#ifndef SINEW_OFFLINE_SKINCELLS_FIELD_H_
#define SINEW_OFFLINE_SKINCELLS_FIELD_H_

#include <Eigen/Geometry>
#include <functional>
#include <span>
#include <vector>

#include "sinew/offline/character/character.h"

namespace sinew::skincells {

struct Site {
  Eigen::Vector3d p = Eigen::Vector3d::Zero();  // position in the field's unit box
  // Metric: lower triangular with a positive diagonal, which is enough for F^T F to be any metric.
  Eigen::Matrix3d F = Eigen::Matrix3d::Identity();
  double t = 0.05;  // positive: distance to the site below which h rounds the cell off
};

struct SkinCell {
  int joint = 0;  // index into the field's skeleton
  double r = 4;   // falloff, at least 1: below 1 the weight's slope would be infinite where the weight reaches zero
  double c = 0;   // relaxation; 0: sparse by construction; above 0: every joint keeps a little influence everywhere
  std::vector<Site> sites;
};

struct SkinField {
  // Skeleton that the field was made for, and its inverse bind matrices: one per joint, from the space of the points
  // into the joint's.
  Skeleton skeleton;
  std::vector<Eigen::Affine3f> inverse_bind;
  // Unit box: a point x of the mesh is (x - origin) / size there.
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();
  double size = 1;
  int l = 4;                    // most influences per point, 1 to kMaxInfluences
  std::vector<SkinCell> cells;  // by increasing joint
};

// h(d; t): distance rounded off near its site. Never below t / 2, so that no weight divides by zero.
inline double Rounded(double d, double t) { return d < t ? 0.5 * (d * d / t + t) : d; }

// d(x; P_j): distance from a point of the unit box to the nearest site of a cell.
double CellDistance(const SkinCell& cell, const Eigen::Vector3d& x);

// Evaluates equations 2 and 3 at a point of the unit box. weights: one per cell, none negative, sum 1, whatever the
// point. With all c = 0 at most l are above zero. Where l + 1 cells are exactly equally far and c is 0, equation 3
// leaves no value (0 / 0); the lowest of the nearest cells then takes all.
void EvaluateCells(const SkinField& field, const Eigen::Vector3d& x, std::span<double> weights);

// Returns the weights of mesh points: `field.l` slots per point, as SkinWeights promises. Points must be finite. With c
// above zero the strongest l weights are kept. Joints are those of the field's skeleton.
SkinWeights EvaluateField(const SkinField& field, const Points& points);

// Returns the strongest l weights of each point, scaled to sum 1, without ever keeping the weights of all points: these
// are as many as points times joints. fill: sets the weights of a point, one per entry of `joints`, all 0 before;
// called from several threads at once. A point without any weight goes to the first joint.
SkinWeights StrongestWeights(int count, std::span<const int> joints, int l,
                             const std::function<void(int point, std::span<double> row)>& fill);
// Returns the strongest l of each row of dense weights (one row per point, one column per entry of `joints`), scaled to
// sum 1. A row without any weight goes to the first joint.
SkinWeights StrongestWeights(std::span<const double> dense, std::span<const int> joints, int l);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_FIELD_H_
