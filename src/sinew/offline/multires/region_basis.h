// Reduced basis V_i^k of the residuals of one region, by principal component analysis (Zheng and Barbic 2024, equations
// 6 to 9).
#ifndef SINEW_OFFLINE_MULTIRES_REGION_BASIS_H_
#define SINEW_OFFLINE_MULTIRES_REGION_BASIS_H_

#include <cstdint>

#include "sinew/offline/learn/dense.h"

namespace sinew::multires {

struct RegionBasis {
  learn::RowMatrix V;  // one row per mode; the rows are orthonormal, strongest mode first
  learn::RowMatrix z;  // coefficients: one row per frame, one column per mode; V_i^k z approximates the residual
  double left = 0;     // mean squared length, over vertices and frames, of the part of the residual that V leaves out
};

// Finds the principal components of the residuals: their leading singular vectors, as many as it takes for the mean
// squared error over vertices and frames (equation 8) to be at most epsilon^2. No mean is subtracted, so that a frame
// without residual has all coefficients zero. The vectors are found by random projection with one power iteration
// (Halko, Martinsson, Tropp 2011), with more and more vectors until the threshold is reached; the error left is known
// exactly, since the modes are orthonormal. A result without modes means that the region is culled.
//
// residuals: one row per frame, 3 columns per vertex of the region's support. n_i in equation 8 is the number of
// vertices of the SUPPORT: the error is a mean over the region, so that the quality is the same everywhere; with all
// vertices of the level, a small region could be wrong by any amount. epsilon: in the unit of the residuals. most:
// maximum number of modes.
RegionBasis FindRegionBasis(const learn::RowMatrix& residuals, double epsilon, int most, uint64_t seed);

}  // namespace sinew::multires

#endif  // SINEW_OFFLINE_MULTIRES_REGION_BASIS_H_
