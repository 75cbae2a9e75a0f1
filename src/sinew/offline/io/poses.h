// Reads and writes pose files: a folder NAME.poses with a manifest and NPY arrays. docs/formats/poses.md.
#ifndef SINEW_OFFLINE_IO_POSES_H_
#define SINEW_OFFLINE_IO_POSES_H_

#include <filesystem>
#include <string>
#include <string_view>

#include "sinew/offline/character/clip.h"

namespace sinew {

// Returns whether a path is a folder with a pose manifest in it.
bool IsPoseFile(const std::filesystem::path& path);

// Writes a pose file whole or not at all. Replaces an older pose file of that name, and nothing else. Translations and
// scales are written only if they differ from the rest pose in some frame. Throws FailedError for numbers that
// ReadPoses() would refuse.
void WritePoses(const std::filesystem::path& path, const Clip& clip);

// Reads a pose file. Throws InputError for anything that docs/formats/poses.md does not allow, including arrays that do
// not match their checksum.
Clip ReadPoses(const std::filesystem::path& path);

// Manifest alone, for fuzzing: everything but the poses, which are left empty; frames is their number.
struct PoseManifest {
  Clip clip;
  int frames = 0;
  struct Array {
    std::string file;  // a plain name; empty: not there
    std::string hash;
  };
  Array rotation, translation, scale;
};
PoseManifest ParsePoseManifest(std::string_view text, const std::string& file);

}  // namespace sinew

#endif  // SINEW_OFFLINE_IO_POSES_H_
