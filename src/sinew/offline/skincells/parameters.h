// A field's numbers as one vector that may be changed freely: what must be positive is stored as its logarithm.
#ifndef SINEW_OFFLINE_SKINCELLS_PARAMETERS_H_
#define SINEW_OFFLINE_SKINCELLS_PARAMETERS_H_

#include <Eigen/Core>

#include "sinew/offline/skincells/field.h"

namespace sinew::skincells {

// Per cell: ln(r - 1), ln c, then per site kSiteSize numbers: p (3), the lower triangle of F row by row with logarithms
// on its diagonal (6), ln t. All cells have the same number of sites.
constexpr int kSiteSize = 10;
constexpr int kSiteF = 3, kSiteT = 9;  // where they are in a site
inline int CellSize(int sites) { return 2 + sites * kSiteSize; }

Eigen::VectorXd ToParameters(const SkinField& field);
// Everything but the numbers is `like`'s.
SkinField FromParameters(const Eigen::VectorXd& parameters, const SkinField& like);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_PARAMETERS_H_
