// Reader and writer of deformers. On disk a deformer is a self-contained folder: the files of the hierarchy that it was
// trained on, deformer.bin with the correctives, and training.json. Format: docs/formats/deformer.md.
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

// Whether the path is a folder that contains a deformer.bin, valid or not.
bool IsDeformer(const std::filesystem::path& path);

// Writes a deformer with its hierarchy, atomically. Replaces an older deformer or hierarchy at `path`; throws
// FailedError if anything else is there. summary: written to training.json, which ReadDeformer() does not read.
void WriteDeformer(const std::filesystem::path& path, const lod::Hierarchy& hierarchy, const Deformer& deformer,
                   const Json& summary);
// Reads a deformer and its hierarchy. Throws InputError for anything that docs/formats/deformer.md does not allow, and
// for a deformer that does not fit the hierarchy in its folder.
TrainedCharacter ReadDeformer(const std::filesystem::path& path);

// Encode and decode deformer.bin, without the hierarchy; checkpoints of training have the same format. file: name in
// error messages. ParseDeformer() throws InputError for a damaged file, and does not call CheckFits().
Bytes FormatDeformer(const Deformer& deformer);
Deformer ParseDeformer(std::span<const std::byte> bytes, const std::string& file);
// Throws InputError if the deformer has another number of levels than the hierarchy, or refers to a joint, point or
// region that the hierarchy does not have. file: name in error messages.
void CheckFits(const Deformer& deformer, const lod::Hierarchy& hierarchy, const std::string& file);

}  // namespace sinew::deformer

#endif  // SINEW_OFFLINE_DEFORMER_DEFORMER_FILE_H_
