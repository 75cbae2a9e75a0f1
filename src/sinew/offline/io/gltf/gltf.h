// Characters in and out of glTF 2.0 (.glb, .gltf). docs/formats/gltf.md says what is read, kept, repaired and refused.
#ifndef SINEW_OFFLINE_IO_GLTF_GLTF_H_
#define SINEW_OFFLINE_IO_GLTF_GLTF_H_

#include <filesystem>
#include <span>
#include <string>

#include "sinew/offline/character/character.h"
#include "sinew/offline/core/file.h"

namespace sinew::gltf {

struct GltfOptions {
  std::string skin;    // name or number of a skin, to choose among several skeletons; empty: there is only one
  bool quiet = false;  // without warnings about what was repaired
};

// Throws InputError for anything that is not a sound glTF 2.0 file, UsageError if options.skin names no skin.
Character ReadGltf(const std::filesystem::path& path, const GltfOptions& options = {});
// The same from memory. file_name: for messages, and the character's name if the file has none. folder: where buffers
// and images in files of their own are; empty: such a buffer is an error.
Character ReadGltf(std::span<const std::byte> bytes, const std::string& file_name, const std::filesystem::path& folder,
                   const GltfOptions& options = {});

// The same character, from a document in which the other skeletons' meshes are not shown, so that what is written of it
// holds one character and can be read without a choice. For one that was read with options.skin.
Character WithoutOtherSkeletons(Character character);

// By extension: .glb is one file; anything else is .gltf, with its numbers in NAME.HASH.bin beside it, so that the two
// always belong together (docs/formats/gltf.md). Whatever the character's source document carried and the character
// does not model is written back untouched, and what did not change since reading is written bit for bit. Throws
// FailedError if the file cannot be written.
void WriteGltf(const Character& character, const std::filesystem::path& path);
Bytes EncodeGlb(const Character& character);

}  // namespace sinew::gltf

#endif  // SINEW_OFFLINE_IO_GLTF_GLTF_H_
