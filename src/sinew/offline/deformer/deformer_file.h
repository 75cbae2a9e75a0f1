// Reader and writer of deformers. On disk a deformer is the folder of the hierarchy that it was trained on with one
// more file in it, so that it is self-contained. Format: docs/formats/deformer.md.
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

// Whether the path is a folder that contains a deformer.
bool IsDeformer(const std::filesystem::path& path);

// Writes a deformer with its hierarchy, atomically. Replaces an older deformer or hierarchy at `path`, but nothing
// else. summary: written to training.json in the same folder.
void WriteDeformer(const std::filesystem::path& path, const lod::Hierarchy& hierarchy, const Deformer& deformer,
                   const Json& summary);
// Reads a deformer and its hierarchy. Throws InputError for anything that docs/formats/deformer.md does not allow, and
// for a deformer that does not fit the hierarchy in its folder.
TrainedCharacter ReadDeformer(const std::filesystem::path& path);

// Encode and decode the deformer's own file, without the hierarchy; checkpoints of training have the same format. file:
// name in error messages. ParseDeformer() throws InputError for a damaged file.
Bytes FormatDeformer(const Deformer& deformer);
Deformer ParseDeformer(std::span<const std::byte> bytes, const std::string& file);
// Throws InputError if the deformer refers to a level, joint, point or region that the hierarchy does not have.
void CheckFits(const Deformer& deformer, const lod::Hierarchy& hierarchy, const std::string& file);

}  // namespace sinew::deformer

#endif  // SINEW_OFFLINE_DEFORMER_DEFORMER_FILE_H_
