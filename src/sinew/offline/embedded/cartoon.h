// The embedded cartoon: a figure with a large head, large hands and feet, short limbs and no neck to speak of, in a
// T-pose, on the same 24 joints as the biped.
#ifndef SINEW_OFFLINE_EMBEDDED_CARTOON_H_
#define SINEW_OFFLINE_EMBEDDED_CARTOON_H_

#include "sinew/offline/embedded/kind.h"

namespace sinew::embedded {

Kind CartoonKind();

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_CARTOON_H_
