// Reads shapes that a glTF file plays by the weights of its morph targets, which is how baking tools write deformation
// that no skin can express.
#ifndef SINEW_OFFLINE_IO_MORPH_ANIMATION_H_
#define SINEW_OFFLINE_IO_MORPH_ANIMATION_H_

#include <string>
#include <vector>

#include "sinew/offline/character/character.h"

namespace sinew {

struct MorphAnimation {
  std::string name;
  int source_animation = -1;  // index in the file
  std::vector<float> times;   // of the keys, seconds
  // One per part of the character: its targets' weights, key by key; empty for a part that no channel moves.
  std::vector<std::vector<float>> weights;

  int key_count() const { return static_cast<int>(times.size()); }
};

// Reads the animations of the character's file that have such weights, at their keys. All channels of one animation
// must have the same keys. Throws InputError, naming `file`, for channels that do not fit their mesh.
std::vector<MorphAnimation> ReadMorphAnimations(const Character& character, const std::string& file);

// Returns the positions of a part at a key, in mesh data space. weights: the part's, as in MorphAnimation::weights.
Points MorphedPositions(const Part& part, const std::vector<float>& weights, int key);

// Returns the positions of part number p of the character at a time in seconds: linear between keys, and those of the
// first or last key outside of them.
Points MorphedPositionsAt(const Character& character, const MorphAnimation& animation, int p, float time);

}  // namespace sinew

#endif  // SINEW_OFFLINE_IO_MORPH_ANIMATION_H_
