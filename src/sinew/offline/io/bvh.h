// Reads and writes Biovision hierarchies (.bvh): docs/formats/bvh.md. Lengths are kept in the file's unit.
#ifndef SINEW_OFFLINE_IO_BVH_H_
#define SINEW_OFFLINE_IO_BVH_H_

#include <filesystem>
#include <string>
#include <string_view>

#include "sinew/offline/character/clip.h"

namespace sinew {

// Returns a skeleton whose joints rest unrotated, and its motion (no frames if the file has none). Each End Site
// becomes a joint NAME_end that is a helper. Throws InputError that names the line. Repairs with a warning: names that
// are missing or used twice, a frame time of zero, numbers after the last frame.
Clip ParseBvh(std::string_view text, const std::string& file);
Clip ReadBvh(const std::filesystem::path& path);

// Formats any skeleton and motion. BVH has no rest rotations: joints are turned to stand unrotated at rest, which
// changes their local frames but no position. Scale that differs from the rest pose's is lost, with a warning.
std::string FormatBvh(const Clip& clip);
void WriteBvh(const std::filesystem::path& path, const Clip& clip);

}  // namespace sinew

#endif  // SINEW_OFFLINE_IO_BVH_H_
