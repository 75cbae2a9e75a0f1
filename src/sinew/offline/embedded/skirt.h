// The embedded skirt: an open surface from waist to hem that fits the embedded biped of the same shape, in the same
// model space. Its first parameters are the biped's, in the same order, so that one seed draws a body and its skirt.
//
// 25 joints: pelvis, where the biped's is, and around it eight chains of three from the hip to the hem:
// skirt_front1-3, skirt_back1-3, and left and right skirt_fore1-3, skirt_side1-3, skirt_rear1-3.
#ifndef SINEW_OFFLINE_EMBEDDED_SKIRT_H_
#define SINEW_OFFLINE_EMBEDDED_SKIRT_H_

#include "sinew/offline/embedded/kind.h"

namespace sinew::embedded {

Kind SkirtKind();

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_SKIRT_H_
