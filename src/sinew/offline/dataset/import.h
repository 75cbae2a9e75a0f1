// Training shapes from elsewhere.
#ifndef SINEW_OFFLINE_DATASET_IMPORT_H_
#define SINEW_OFFLINE_DATASET_IMPORT_H_

#include <filesystem>
#include <optional>

#include "sinew/offline/dataset/make_frames.h"
#include "sinew/offline/dataset/shape_source.h"

namespace sinew::dataset {

struct ImportOptions {
  double scale = 1;   // times the shapes' numbers are the character's unit
  bool z_up = false;  // the shapes' up axis is Z: (x, y, z) becomes (x, z, -y)
  double metres_per_unit = 1;
  // The undeformed mesh in the order of the shapes, in their unit and axes: each of the character's vertices goes with
  // the nearest of it. Without it, the shapes have the character's vertices in its order.
  std::optional<Points> rest;
};

struct ImportSummary {
  int frames = 0;
  double furthest_match = 0;  // between the character's vertices at rest and those of `rest`, in the character's unit
  double rms = 0;             // distance to linear blend skinning over some frames, in the character's unit
};

// Whole or not at all; replaces an older dataset of that name. Throws InputError where numbers of frames or vertices
// differ, where a vertex finds no partner in `rest` within a thousandth of the body's size, and for numbers that are
// not finite.
ImportSummary ImportDataset(const std::filesystem::path& path, const StoredCharacter& character,
                            const PoseSequence& sequence, const ShapeSource& shapes, const ImportOptions& options);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_IMPORT_H_
