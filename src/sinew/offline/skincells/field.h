// The weight field of E. Larionov et al., "SkinCells: Sparse Skinning using Voronoi Cells", sections 3.2 and 3.3: every
// joint is a cell made of a few sites, and a point's weights follow from its distances to the cells. It knows no mesh,
// so that one field serves every level of detail, garment and point set.
//
// Symbols are the paper's: sites p with a metric F and a rounding t, cells with a falloff r and a relaxation c, at most
// l influences a point. docs/papers/skincells.md has the whole map and what differs.
#ifndef SINEW_OFFLINE_SKINCELLS_FIELD_H_
#define SINEW_OFFLINE_SKINCELLS_FIELD_H_

#include <Eigen/Geometry>
#include <span>
#include <vector>

#include "sinew/offline/character/character.h"

namespace sinew::skincells {

struct Site {
  Eigen::Vector3d p = Eigen::Vector3d::Zero();      // in the field's unit box
  Eigen::Matrix3d F = Eigen::Matrix3d::Identity();  // lower triangular, positive diagonal: F^T F is any metric
  double t = 0.05;                                  // positive: inside this distance the cell is rounded
};

struct SkinCell {
  int joint = 0;  // of the field's skeleton
  double r = 4;   // falloff, at least 1: then weights run out without a kink of infinite slope
  double c = 0;   // 0: sparse by construction; above: every joint keeps a little influence everywhere
  std::vector<Site> sites;
};

struct SkinField {
  // The skeleton that it was made for, and where its joints were: from the space of the points into each joint's.
  Skeleton skeleton;
  std::vector<Eigen::Affine3f> inverse_bind;
  // A point x of the mesh is (x - origin) / size in the unit box.
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();
  double size = 1;
  int l = 4;                    // most influences a point, 1 to kMaxInfluences
  std::vector<SkinCell> cells;  // by increasing joint
};

// h(d; t): a distance rounded off near its site. Never below t / 2, so that no weight divides by zero.
inline double Rounded(double d, double t) { return d < t ? 0.5 * (d * d / t + t) : d; }

// d(x; P_j): the distance from a point of the unit box to the nearest site of a cell.
double CellDistance(const SkinCell& cell, const Eigen::Vector3d& x);

// Equations 2 and 3 at a point of the unit box: one weight per cell, none negative, sum 1, whatever the point. With all
// c = 0 at most l are above zero. Where l + 1 cells are exactly equally far, which leaves equation 3 without a value,
// the lowest of the nearest takes all.
void EvaluateCells(const SkinField& field, const Eigen::Vector3d& x, std::span<double> weights);

// Weights of mesh points: `field.l` slots a point, as SkinWeights promises. Points must be finite. With c above zero
// the strongest l are kept. Joints are those of the field's skeleton.
SkinWeights EvaluateField(const SkinField& field, const Points& points);

// The strongest l of each row of dense weights (one row a point, one column per entry of `joints`), scaled to sum 1.
// A row without any weight goes to the first joint.
SkinWeights StrongestWeights(std::span<const double> dense, std::span<const int> joints, int l);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_FIELD_H_
