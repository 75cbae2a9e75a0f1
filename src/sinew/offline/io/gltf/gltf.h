// Reads and writes characters as glTF 2.0 (.glb, .gltf). docs/formats/gltf.md says what is read, kept, repaired and
// refused.
#ifndef SINEW_OFFLINE_IO_GLTF_GLTF_H_
#define SINEW_OFFLINE_IO_GLTF_GLTF_H_

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/core/file.h"

namespace sinew::gltf {

struct GltfOptions {
  std::string skin;    // name or number of a skin, to choose among several skeletons; empty: there is only one
  bool quiet = false;  // true: no warnings about what was repaired
};

// Reads a character from a file. Throws InputError for anything that is not a valid glTF 2.0 file, UsageError if
// options.skin names no skin.
Character ReadGltf(const std::filesystem::path& path, const GltfOptions& options = {});
// Reads a character from memory. file_name: for messages, and for the character's name if the file has none. folder:
// where buffers and images in files of their own are; empty: such a buffer is an error.
Character ReadGltf(std::span<const std::byte> bytes, const std::string& file_name, const std::filesystem::path& folder,
                   const GltfOptions& options = {});

// An animation of a character's source document that moves no joint, so that Character::animations does not have it.
struct OtherAnimation {
  std::string name;
  std::vector<std::string> nodes;  // names of the nodes that it moves, each once
  bool morphs = false;             // whether it blends morph targets
};

// Returns them in the document's order, for a character as it was read; none for one without a source document.
std::vector<OtherAnimation> OtherAnimations(const Character& character);

// Returns the character with a source document in which the meshes of other skeletons are not shown, so that what is
// written of it holds one character and can be read without a choice. For a character that was read with options.skin.
Character WithoutOtherSkeletons(Character character);

// Writes a character. The extension chooses the format: .glb is one file; anything else is .gltf, with its numbers in
// NAME.HASH.bin beside it, so that the two always belong together (docs/formats/gltf.md). Everything in the character's
// source document that the character does not model is written back untouched, and what did not change since reading is
// written bit for bit. Throws FailedError if the file cannot be written.
void WriteGltf(const Character& character, const std::filesystem::path& path);
// Returns the bytes of a .glb file. Throws FailedError if it would exceed 4 GB, and for what glTF cannot express, such
// as a part without triangles or a number that is not finite.
Bytes EncodeGlb(const Character& character);

}  // namespace sinew::gltf

#endif  // SINEW_OFFLINE_IO_GLTF_GLTF_H_
