// Reads and writes any file that holds a character or a mesh.
#ifndef SINEW_OFFLINE_IO_CHARACTER_FILE_H_
#define SINEW_OFFLINE_IO_CHARACTER_FILE_H_

#include <filesystem>
#include <string>

#include "sinew/offline/character/character.h"
#include "sinew/offline/io/gltf/gltf.h"

namespace sinew {

// Returns whether a file is of a type that ReadCharacter() reads. Throws InputError if it cannot be read at all.
bool IsCharacterFile(const std::filesystem::path& path);

// Reads a character. The type is told by the file's contents (.glb), then by its extension (.gltf, .obj, .ply). Throws
// InputError if it is none of these; the message says which types there are, and what to do with a file of a motion or
// an array.
Character ReadCharacter(const std::filesystem::path& path, const gltf::GltfOptions& options = {});

// Writes a character, in the type of the extension. OBJ carries neither skeleton nor weights. Throws UsageError if the
// extension is no character's.
void WriteCharacter(const Character& character, const std::filesystem::path& path);

}  // namespace sinew

#endif  // SINEW_OFFLINE_IO_CHARACTER_FILE_H_
