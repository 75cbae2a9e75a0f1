// A body that is measured: a dataset of one character, with its name and family.
#ifndef SINEW_OFFLINE_SURVEY_BODY_H_
#define SINEW_OFFLINE_SURVEY_BODY_H_

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/lod/hierarchy.h"

namespace sinew::survey {

struct Body {
  std::filesystem::path dataset;  // folder of its frames
  std::string family = {};        // bodies that were made alike share one; may be empty
  std::string name = {};          // no two measured bodies have the same
  std::string identity = {};      // whose body it is: remeshes of one body, and it in other clothes, share it
  // Indices of the frames that count, increasing, each with a shape, such as one side of a corpus. None: all frames
  // that have a shape.
  std::optional<std::vector<int>> frames = {};
};

// Parses "DATASET" or "FAMILY=DATASET". Name and identity are the folder's name without extension. Text that is the
// path of a dataset as it stands has no family, even with a "=" in it.
Body ParseBody(std::string_view text);

// Throws UsageError, naming both datasets, if two bodies have the same name.
void RefuseRepeated(const std::vector<Body>& bodies);

// A body that was read. Its character is a hierarchy of one level.
struct LoadedBody {
  // Throws InputError for what is no dataset, for a dataset of several characters, and for a character without a skin.
  explicit LoadedBody(const Body& body);

  const Character& character() const { return hierarchy.levels.back().character; }
  double metres_per_unit() const { return dataset.manifest().metres_per_unit; }

  Body body;
  dataset::Dataset dataset;
  lod::Hierarchy hierarchy;
  std::vector<int> frames;  // CountedFrames()
};

// Returns the indices of the frames that count (Body::frames). dataset: that of the body. Throws InputError if the body
// names a frame that the dataset does not have, or one without a shape.
std::vector<int> CountedFrames(const Body& body, const dataset::Dataset& dataset);

// Reads the one character of a dataset. Throws InputError if it has several.
Character ReadOnlyCharacter(const dataset::Dataset& dataset);

}  // namespace sinew::survey

#endif  // SINEW_OFFLINE_SURVEY_BODY_H_
