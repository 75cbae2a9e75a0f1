// The embedded quadruped: a dog-like animal that stands on y = 0 and looks along +Z, mirror-symmetric.
//
// 34 joints: pelvis, spine1-4, neck1-2, head, jaw, tail1-5, and left and right: ear, scapula, shoulder, elbow, wrist
// (carpus), front_paw, hip, knee (stifle), ankle (hock), hind_paw.
#ifndef SINEW_OFFLINE_EMBEDDED_QUADRUPED_H_
#define SINEW_OFFLINE_EMBEDDED_QUADRUPED_H_

#include "sinew/offline/embedded/kind.h"

namespace sinew::embedded {

Kind QuadrupedKind();

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_QUADRUPED_H_
