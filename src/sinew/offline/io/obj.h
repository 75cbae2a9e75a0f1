// Reads and writes meshes as Wavefront OBJ. docs/formats/obj.md says what is read, kept, repaired and refused.
#ifndef SINEW_OFFLINE_IO_OBJ_H_
#define SINEW_OFFLINE_IO_OBJ_H_

#include <filesystem>
#include <span>
#include <string>

#include "sinew/offline/character/character.h"

namespace sinew {

// Reads a mesh: one part per group and material, without skeleton or weights. Polygons are cut into triangles; a vertex
// that has several UVs or normals is split, its copies after all others, so that without seams the file's order is
// kept. Throws InputError that names the line.
Character ReadObj(const std::filesystem::path& path);
// Reads a mesh from memory. file_name: for messages and the character's name.
Character ReadObj(std::span<const std::byte> bytes, const std::string& file_name);

// Reads the positions alone, in the order of the file's "v" lines, which frames of a sequence have in common whatever
// their seams and groups are.
Points ReadObjPositions(std::span<const std::byte> bytes, const std::string& file_name);

// Encodes each part as a group with its own vertices, in order, placed where its node puts it; UVs and normals as the
// parts have them.
std::string EncodeObj(const Character& character);
void WriteObj(const Character& character, const std::filesystem::path& path);

}  // namespace sinew

#endif  // SINEW_OFFLINE_IO_OBJ_H_
