// Import of ground-truth shapes from other programs into a dataset.
#ifndef SINEW_OFFLINE_DATASET_IMPORT_H_
#define SINEW_OFFLINE_DATASET_IMPORT_H_

#include <filesystem>
#include <optional>

#include "sinew/offline/dataset/make_frames.h"
#include "sinew/offline/dataset/shape_source.h"

namespace sinew::dataset {

struct ImportOptions {
  double scale = 1;            // factor from the unit of the shapes to the character's unit
  bool z_up = false;           // whether the up axis of the shapes is Z: (x, y, z) becomes (x, z, -y)
  double metres_per_unit = 1;  // length of the character's unit
  // Undeformed mesh of the shapes, in their vertex order, unit and axes. Each vertex of the character in its rest pose
  // is matched with the nearest vertex of this mesh. If not set, the shapes must have the character's vertices in its
  // order.
  std::optional<Points> rest;
};

struct ImportSummary {
  int frames = 0;
  // Largest distance between a vertex of the character in its rest pose and its match in ImportOptions::rest, in the
  // character's unit; 0 without `rest`.
  double furthest_match = 0;
  // Root mean square distance of the shapes from linear blend skinning over some of the frames, in the character's
  // unit.
  double rms = 0;
};

// Writes a dataset of all shapes, one per pose of the sequence, atomically; replaces an older dataset at `path`. Throws
// InputError if the numbers of frames or vertices differ, if a vertex has no match in ImportOptions::rest within a
// thousandth of the body's size (longest side of its bounding box in the rest pose), and for numbers that are not
// finite. Warns if the shapes are far from skinning, as with a wrong unit, up axis or order.
ImportSummary ImportDataset(const std::filesystem::path& path, const StoredCharacter& character,
                            const PoseSequence& sequence, const ShapeSource& shapes, const ImportOptions& options);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_IMPORT_H_
