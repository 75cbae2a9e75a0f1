// The image files that a glTF document has inside or beside it, as they are.
#ifndef SINEW_OFFLINE_IO_GLTF_IMAGES_H_
#define SINEW_OFFLINE_IO_GLTF_IMAGES_H_

#include "sinew/offline/io/gltf/document.h"

namespace sinew::gltf {

// index: of an image of the document. Throws InputError where its bytes are not there.
Bytes ImageFile(const SourceDocument& document, int index);

}  // namespace sinew::gltf

#endif  // SINEW_OFFLINE_IO_GLTF_IMAGES_H_
