// Any file that holds a character or a mesh.
#ifndef SINEW_OFFLINE_IO_CHARACTER_FILE_H_
#define SINEW_OFFLINE_IO_CHARACTER_FILE_H_

#include <filesystem>
#include <string>

#include "sinew/offline/character/character.h"
#include "sinew/offline/io/gltf/gltf.h"

namespace sinew {

// Whether ReadCharacter() would take it for one of its types. Throws InputError if it cannot be read at all.
bool IsCharacterFile(const std::filesystem::path& path);

// By what the file contains (.glb), then by its extension (.gltf, .obj, .ply). Throws InputError that says which types
// there are, and what to do with a file of a motion or an array, if it is none of them.
Character ReadCharacter(const std::filesystem::path& path, const gltf::GltfOptions& options = {});

// By extension. OBJ carries neither skeleton nor weights: throws UsageError if the extension is no character's.
void WriteCharacter(const Character& character, const std::filesystem::path& path);

}  // namespace sinew

#endif  // SINEW_OFFLINE_IO_CHARACTER_FILE_H_
