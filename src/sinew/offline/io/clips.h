// Reads motions from any file that has some: a pose file, a BVH file, the animations of a glTF file.
#ifndef SINEW_OFFLINE_IO_CLIPS_H_
#define SINEW_OFFLINE_IO_CLIPS_H_

#include <string>
#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/character/clip.h"

namespace sinew {

// Reads the clips of a file. where: a path; #NAME or #NUMBER after that of a glTF file takes one animation instead of
// all. frames_per_second: at which animations are sampled; BVH and pose files have a rate of their own. Every clip has
// its source and origins filled in. Throws InputError for a file without motion, UsageError for an animation that is
// not there (the message lists those that are).
std::vector<Clip> ReadClips(const std::string& where, float frames_per_second);

// Returns all animations of a character that is already read.
std::vector<Clip> ClipsOf(const Character& character, const std::string& file, float frames_per_second);

// Reads the skeleton of a character's file or of a .bvh. Throws InputError if there is none.
Skeleton ReadSkeleton(const std::string& file);

}  // namespace sinew

#endif  // SINEW_OFFLINE_IO_CLIPS_H_
