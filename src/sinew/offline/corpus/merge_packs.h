// Joins packs of the parts of a corpus, each made where its bodies were simulated.
#ifndef SINEW_OFFLINE_CORPUS_MERGE_PACKS_H_
#define SINEW_OFFLINE_CORPUS_MERGE_PACKS_H_

#include <filesystem>
#include <vector>

#include "sinew/offline/corpus/load_pack.h"

namespace sinew::corpus {

// Writes a pack with the bodies of all parts to `folder`, atomically; replaces an older pack there, which must not be
// one of the parts. Packs of all parts of a corpus give the bytes that packing the whole corpus gives. Returns its
// manifest. Throws InputError for packs of different recipes, for a body that differs between two packs or is damaged,
// and for leaks.
PackManifest MergePacks(const std::filesystem::path& folder, const std::vector<std::filesystem::path>& parts);

}  // namespace sinew::corpus

#endif  // SINEW_OFFLINE_CORPUS_MERGE_PACKS_H_
