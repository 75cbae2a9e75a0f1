// Exports baked characters for any glTF viewer: correctives become morph targets with animated weights.
#ifndef SINEW_OFFLINE_BUNDLE_EXPORT_GLTF_H_
#define SINEW_OFFLINE_BUNDLE_EXPORT_GLTF_H_

#include <filesystem>
#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/core/file.h"
#include "sinew/runtime/asset/bundle.h"

namespace sinew::bundle {

// Returns a level as a whole character: skeleton, skins, weights (at most 4 per vertex, strongest first), parts.
Character CharacterOf(const runtime::Bundle& bundle, int level);

struct ExportOptions {
  int level = 1;
  int targets = 32;  // largest number of morph targets
  // Whether a target only moves vertices that one joint moves (morph_modes.h), so that the file does not store the
  // others: smaller, and cheaper to show, for a larger error with as many targets.
  bool sparse = false;
  float frames_per_second = 30;
};

// Error of an export, caused by dropped modes and by influences beyond the fourth: distances between the exported
// vertices and those of the runtime, over the frames that were measured. In the character's unit.
struct ExportError {
  int targets = 0;              // number of morph targets
  double rms = 0, largest = 0;  // root mean square and maximum
  double skinning_rms = 0;      // root mean square of skinning without any corrective
};

// Returns the bytes of a GLB with the motion as an animation of joints. Its correctives are the strongest principal
// modes of the displacements over its frames (all vertices weighted equally), one morph target each, with animated
// weights. error: output, may be null. Throws UsageError if there are no poses.
Bytes ExportBaked(const runtime::Bundle& bundle, const std::vector<Pose>& poses, const ExportOptions& options,
                  ExportError* error);

}  // namespace sinew::bundle

#endif  // SINEW_OFFLINE_BUNDLE_EXPORT_GLTF_H_
