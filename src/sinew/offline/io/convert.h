// Converts a file into one of another type, wherever that makes sense.
#ifndef SINEW_OFFLINE_IO_CONVERT_H_
#define SINEW_OFFLINE_IO_CONVERT_H_

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/character/clip.h"

namespace sinew {

struct ConvertOptions {
  std::string skin;                 // skin to use of a glTF file with several skeletons; empty: there is only one
  std::string animation;            // name or number, where one is needed and there are several
  float frames_per_second = 30;     // at which a glTF animation is sampled for BVH
  std::string unit;                 // unit of the input ("cm"): lengths become metres; empty: nothing is rescaled
  std::filesystem::path triangles;  // NPY of triangles for an NPY of points; empty: NAME_triangles.npy beside it
};

struct Converted {
  std::vector<std::filesystem::path> files;  // files that were written
  int parts = 0, vertices = 0, triangles = 0, joints = 0, animations = 0, frames = 0;
  float scale = 1;  // factor by which lengths were multiplied
};

// Converts a file. The extensions tell the types: characters (.glb, .gltf), meshes (.obj), motions (.bvh), points
// (.npy, N x 3). Throws UsageError for two types that have nothing in common, InputError for a bad input.
Converted Convert(const std::filesystem::path& in, const std::filesystem::path& out, const ConvertOptions& options);

// Multiplies every length of a character: mesh, morph targets, skeleton, bind pose, animations.
void ScaleCharacter(float scale, Character& character);
// Returns a character of a skeleton and one animation, without a mesh. There is one key per frame; constant
// translations and scales have none.
Character CharacterOf(const Clip& clip);

}  // namespace sinew

#endif  // SINEW_OFFLINE_IO_CONVERT_H_
