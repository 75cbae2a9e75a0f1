// Motions from any file that has some: a pose file, a BVH file, the animations of a glTF file.
#ifndef SINEW_OFFLINE_IO_CLIPS_H_
#define SINEW_OFFLINE_IO_CLIPS_H_

#include <string>
#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/character/clip.h"

namespace sinew {

// `where` is a path, of a glTF file perhaps with #NAME or #NUMBER after it to take one animation; all otherwise.
// frames_per_second: at which animations are sampled; BVH and pose files have a rate of their own. Every clip has its
// source and origins filled in. Throws InputError for a file without motion, UsageError for an animation that is not
// there (the message lists those that are).
std::vector<Clip> ReadClips(const std::string& where, float frames_per_second);

// All animations of a character that is already read.
std::vector<Clip> ClipsOf(const Character& character, const std::string& file, float frames_per_second);

// The skeleton of a character's file or of a .bvh. Throws InputError if there is none.
Skeleton ReadSkeleton(const std::string& file);

}  // namespace sinew

#endif  // SINEW_OFFLINE_IO_CLIPS_H_
