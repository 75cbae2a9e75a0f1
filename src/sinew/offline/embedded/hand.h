// The embedded hand: a left hand with its wrist, oriented like the left hand of the T-posed biped: fingers along +X,
// palm down, thumb to the front (+Z). It lies on y = 0 with the wrist above x = z = 0.
//
// 16 joints: left_wrist, and left_thumb1-3 (carpometacarpal, metacarpophalangeal, interphalangeal), left_index1-3,
// left_middle1-3, left_ring1-3, left_pinky1-3 (metacarpophalangeal, proximal and distal interphalangeal).
#ifndef SINEW_OFFLINE_EMBEDDED_HAND_H_
#define SINEW_OFFLINE_EMBEDDED_HAND_H_

#include "sinew/offline/embedded/kind.h"

namespace sinew::embedded {

Kind HandKind();

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_HAND_H_
