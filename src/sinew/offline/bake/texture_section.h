// Materials of the parts, as a section of a bundle that players may skip: base colours and their images.
// docs/formats/bundle.md describes it.
#ifndef SINEW_OFFLINE_BAKE_TEXTURE_SECTION_H_
#define SINEW_OFFLINE_BAKE_TEXTURE_SECTION_H_

#include "sinew/offline/bake/bundle_builder.h"
#include "sinew/offline/core/file.h"

namespace sinew::bake {

// Returns the section: the materials of the finest level's file that its parts use, with the bytes of their images
// (PNG, JPEG, WebP) as they are in it. Empty if no material has a colour. An image that is missing, of another format,
// or on other texture coordinates than the bundle has is a warning, and its material keeps only its colour.
Bytes FormatTextures(const lod::Hierarchy& hierarchy);

// Returns the bundle with FormatTextures() added, or unchanged if that is empty. texture_bytes: output, by how many
// bytes its file grew.
BakedBundle WithTextures(BakedBundle baked, const lod::Hierarchy& hierarchy, size_t* texture_bytes);

}  // namespace sinew::bake

#endif  // SINEW_OFFLINE_BAKE_TEXTURE_SECTION_H_
