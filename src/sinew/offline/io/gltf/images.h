// Access to the image files inside or beside a glTF document, as they are.
#ifndef SINEW_OFFLINE_IO_GLTF_IMAGES_H_
#define SINEW_OFFLINE_IO_GLTF_IMAGES_H_

#include "sinew/offline/io/gltf/document.h"

namespace sinew::gltf {

// Returns the bytes of an image file. index: of an image of the document. Throws InputError if its bytes do not exist.
Bytes ImageFile(const SourceDocument& document, int index);

}  // namespace sinew::gltf

#endif  // SINEW_OFFLINE_IO_GLTF_IMAGES_H_
