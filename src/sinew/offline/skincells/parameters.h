// A field's parameters as one unconstrained vector: numbers that must be positive are stored as their logarithms.
#ifndef SINEW_OFFLINE_SKINCELLS_PARAMETERS_H_
#define SINEW_OFFLINE_SKINCELLS_PARAMETERS_H_

#include <Eigen/Core>

#include "sinew/offline/skincells/field.h"

namespace sinew::skincells {

// Layout per cell: ln(r - 1), ln c, then per site kSiteSize numbers: p (3), the lower triangle of F row by row with
// logarithms on its diagonal (6), ln t. All cells have the same number of sites.
constexpr int kSiteSize = 10;
constexpr int kSiteF = 3, kSiteT = 9;  // offsets of F and t within a site
inline int CellSize(int sites) { return 2 + sites * kSiteSize; }

Eigen::VectorXd ToParameters(const SkinField& field);
// Takes everything but the parameters from `like`.
SkinField FromParameters(const Eigen::VectorXd& parameters, const SkinField& like);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_PARAMETERS_H_
