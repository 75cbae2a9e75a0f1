// Deformers on disk: the folder of the hierarchy that was trained on, with one more file in it, so that a deformer is
// whole by itself. docs/formats/deformer.md.
#ifndef SINEW_OFFLINE_DEFORMER_DEFORMER_FILE_H_
#define SINEW_OFFLINE_DEFORMER_DEFORMER_FILE_H_

#include <filesystem>
#include <span>
#include <string>

#include "sinew/offline/core/file.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/deformer/deformer.h"
#include "sinew/offline/lod/hierarchy.h"

namespace sinew::deformer {

struct TrainedCharacter {
  lod::Hierarchy hierarchy;
  Deformer deformer;
};

// Whether a path is a folder with a deformer in it.
bool IsDeformer(const std::filesystem::path& path);

// Whole or not at all; replaces an older deformer or hierarchy of that name, and nothing else. summary: written beside
// it as training.json.
void WriteDeformer(const std::filesystem::path& path, const lod::Hierarchy& hierarchy, const Deformer& deformer,
                   const Json& summary);
// Throws InputError for anything that docs/formats/deformer.md does not allow, and for a deformer that does not fit the
// hierarchy beside it.
TrainedCharacter ReadDeformer(const std::filesystem::path& path);

// The file by itself, which is also what a checkpoint is.
Bytes FormatDeformer(const Deformer& deformer);
Deformer ParseDeformer(std::span<const std::byte> bytes, const std::string& file);
// Throws InputError where the deformer names a joint, point or region that the hierarchy does not have.
void CheckFits(const Deformer& deformer, const lod::Hierarchy& hierarchy, const std::string& file);

}  // namespace sinew::deformer

#endif  // SINEW_OFFLINE_DEFORMER_DEFORMER_FILE_H_
