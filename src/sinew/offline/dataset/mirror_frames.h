// Mirror images of frames: by the simulation of one pose, a body that is the same left and right shows what it does in
// two.
#ifndef SINEW_OFFLINE_DATASET_MIRROR_FRAMES_H_
#define SINEW_OFFLINE_DATASET_MIRROR_FRAMES_H_

#include "sinew/offline/character/character.h"
#include "sinew/offline/dataset/training_frames.h"

namespace sinew::dataset {

// Appends the mirror image of every frame if the character, whose vertices the frames have, is symmetric
// (character/symmetry.h). Returns whether it is. The images have no hash. Of frames to validate on, none of the images
// is learned from (SplitFrames()).
bool AddMirrorImages(const Character& character, TrainingFrames& frames);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_MIRROR_FRAMES_H_
