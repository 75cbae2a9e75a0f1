// Baked characters for viewers that know nothing of us: plain glTF, correctives as morph targets with animated weights.
#ifndef SINEW_OFFLINE_BUNDLE_EXPORT_GLTF_H_
#define SINEW_OFFLINE_BUNDLE_EXPORT_GLTF_H_

#include <filesystem>
#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/core/file.h"
#include "sinew/runtime/asset/bundle.h"

namespace sinew::bundle {

// A level as a whole character: skeleton, skins, weights (at most 4 a vertex, strongest first), parts.
Character CharacterOf(const runtime::Bundle& bundle, int level);

struct ExportOptions {
  int level = 1;
  int targets = 32;  // morph targets at most
  float frames_per_second = 30;
};

// What was left of the correctives, and of influences beyond the fourth: distances between finished vertices and those
// of the runtime, over the frames that were measured. In the character's unit.
struct ExportError {
  int targets = 0;
  double rms = 0, largest = 0;
  double skinning_rms = 0;  // the same of skinning without any corrective
};

// The motion as an animation of joints, its correctives as the strongest modes of the displacements over its frames
// (equal weights for all vertices), one morph target each, with animated weights. Returns the bytes of a GLB.
Bytes ExportBaked(const runtime::Bundle& bundle, const std::vector<Pose>& poses, const ExportOptions& options,
                  ExportError* error);

}  // namespace sinew::bundle

#endif  // SINEW_OFFLINE_BUNDLE_EXPORT_GLTF_H_
