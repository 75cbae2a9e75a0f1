// What parts look like besides their shape: base colours and the images of them, as a section of a bundle that players
// may skip. docs/formats/bundle.md.
#ifndef SINEW_OFFLINE_BAKE_TEXTURE_SECTION_H_
#define SINEW_OFFLINE_BAKE_TEXTURE_SECTION_H_

#include "sinew/offline/bake/bundle_builder.h"
#include "sinew/offline/core/file.h"

namespace sinew::bake {

// The materials of the finest level's file that its parts use, with the bytes of their images (PNG, JPEG, WebP) as they
// are in it. Empty if none of them has a colour. An image that is missing, of another kind, or on other texture
// coordinates than the bundle has is a warning, and its material has a colour only.
Bytes FormatTextures(const lod::Hierarchy& hierarchy);

// The bundle with FormatTextures() in it; as it is if that is empty. texture_bytes: out, how much larger its file is.
BakedBundle WithTextures(BakedBundle baked, const lod::Hierarchy& hierarchy, size_t* texture_bytes);

}  // namespace sinew::bake

#endif  // SINEW_OFFLINE_BAKE_TEXTURE_SECTION_H_
