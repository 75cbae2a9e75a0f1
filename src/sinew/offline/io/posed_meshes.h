// Makes and writes posed characters as plain meshes, one or many.
#ifndef SINEW_OFFLINE_IO_POSED_MESHES_H_
#define SINEW_OFFLINE_IO_POSED_MESHES_H_

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/character/posing.h"

namespace sinew {

// Returns the character's parts where a pose puts them, without skeleton, weights, morph targets or materials; vertices
// in the character's order.
Character PosedMesh(const Character& character, const PosedCharacter& posed);

// The following two throw InputError for a vertex that a pose puts out of reach (mesh/reach.h).

// Writes an array, float32 [frames][vertices][3], in model space, parts in order.
void WritePosedArray(const Character& character, const Poser& poser, const std::vector<Pose>& poses,
                     const std::filesystem::path& path);

// Writes a folder with frame_00000.EXTENSION and so on. Replaces an older one, and nothing else. extension: "glb" or
// "obj".
void WritePosedFolder(const Character& character, const Poser& poser, const std::vector<Pose>& poses,
                      const std::string& extension, const std::filesystem::path& path);

}  // namespace sinew

#endif  // SINEW_OFFLINE_IO_POSED_MESHES_H_
