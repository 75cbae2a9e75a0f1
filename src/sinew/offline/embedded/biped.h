// The embedded biped: a person like an artist's mannequin, in a T-pose, on the 24 joints of the usual body skeleton.
#ifndef SINEW_OFFLINE_EMBEDDED_BIPED_H_
#define SINEW_OFFLINE_EMBEDDED_BIPED_H_

#include "sinew/offline/embedded/kind.h"

namespace sinew::embedded {

Kind BipedKind();

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_BIPED_H_
