// Joint limits as a picture: one panel a joint, with the region that its bone may tilt into, seen along the bone, and
// the arc that it may twist through.
#ifndef SINEW_OFFLINE_RENDER_LIMITS_PLOT_H_
#define SINEW_OFFLINE_RENDER_LIMITS_PLOT_H_

#include <string>

#include "sinew/offline/anatomy/limits.h"

namespace sinew::render {

// An SVG document. Free and fixed joints are named, not drawn. title: above everything, may be empty.
std::string PlotLimits(const Skeleton& skeleton, const JointLimits& limits, const std::string& title);

}  // namespace sinew::render

#endif  // SINEW_OFFLINE_RENDER_LIMITS_PLOT_H_
