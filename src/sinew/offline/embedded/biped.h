// The biped: a person of an artist's mannequin's kind, on the 24 joints of the usual body skeleton, in a T-pose.
#ifndef SINEW_OFFLINE_EMBEDDED_BIPED_H_
#define SINEW_OFFLINE_EMBEDDED_BIPED_H_

#include "sinew/offline/embedded/kind.h"

namespace sinew::embedded {

Kind BipedKind();

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_BIPED_H_
