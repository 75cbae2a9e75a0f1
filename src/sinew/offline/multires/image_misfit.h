// Whether mirror images of frames are as good to learn from as the frames: whether the flesh, and not only the surface
// and the joints, is the same left and right.
#ifndef SINEW_OFFLINE_MULTIRES_IMAGE_MISFIT_H_
#define SINEW_OFFLINE_MULTIRES_IMAGE_MISFIT_H_

#include "sinew/offline/learn/dense.h"

namespace sinew::multires {

// Largest misfit of images that are learned from. Where frames and images agree it is 1, within a few hundredths.
constexpr double kLargestMisfit = 1.2;

// A linear map from features to displacements is fitted to every other frame. Returns its root mean square error on the
// images of the remaining frames, as a multiple of that on the remaining frames themselves: both are unseen, and the
// mirror image of a pose is no harder than the pose. features: one column per frame, as from FeaturesOfPoses();
// displacements: one row per frame. Both have `frames` frames, then their images in the same order, then others.
// Returns 1 if there is too little to tell.
double ImageMisfit(const learn::RowMatrix& features, const learn::RowMatrix& displacements, int frames);

}  // namespace sinew::multires

#endif  // SINEW_OFFLINE_MULTIRES_IMAGE_MISFIT_H_
