// V_i^k: the few shapes that a region's residuals are made of (Zheng and Barbic 2024, equations 6 to 9).
#ifndef SINEW_OFFLINE_MULTIRES_REGION_BASIS_H_
#define SINEW_OFFLINE_MULTIRES_REGION_BASIS_H_

#include <cstdint>

#include "sinew/offline/learn/dense.h"

namespace sinew::multires {

struct RegionBasis {
  learn::RowMatrix V;  // one row a mode, of unit length and orthogonal to each other; strongest first
  learn::RowMatrix z;  // a row per frame, a column per mode: V_i^k z ~ the residual
  double left = 0;     // what is left out: the mean over vertices and frames of its squared length
};

// Principal components, without subtracting a mean, so that a frame without residual has all coefficients zero: the
// leading singular vectors of the residuals, as many as it takes for the mean over vertices and frames of the squared
// error (equation 8) to be below epsilon^2. They are found by random projection with one power iteration (Halko,
// Martinsson, Tropp 2011), with more and more vectors until that is reached; what is left is known exactly, since the
// modes are orthonormal.
//
// residuals: a row per frame, 3 columns per vertex of the region's support. n_i in equation 8 is the number of vertices
// of the SUPPORT: the error is a mean over the region, and so the same quality everywhere; with all vertices of the
// level a small region could be wrong by any amount. most: modes at most. None: the region is culled.
RegionBasis FindRegionBasis(const learn::RowMatrix& residuals, double epsilon, int most, uint64_t seed);

}  // namespace sinew::multires

#endif  // SINEW_OFFLINE_MULTIRES_REGION_BASIS_H_
