// Draws joint limits: one panel per joint with the region that its bone may swing into, seen along the bone, and the
// arc through which it may twist.
#ifndef SINEW_OFFLINE_RENDER_LIMITS_PLOT_H_
#define SINEW_OFFLINE_RENDER_LIMITS_PLOT_H_

#include <string>

#include "sinew/offline/anatomy/limits.h"

namespace sinew::render {

// Returns an SVG document. Free and fixed joints are only listed by name.
// limits: one per joint.
// title: shown at the top; may be empty.
std::string PlotLimits(const Skeleton& skeleton, const JointLimits& limits, const std::string& title);

}  // namespace sinew::render

#endif  // SINEW_OFFLINE_RENDER_LIMITS_PLOT_H_
