// Packs a corpus into what training needs, in a size that travels. Format: docs/formats/pack.md.
#ifndef SINEW_OFFLINE_CORPUS_PACK_CORPUS_H_
#define SINEW_OFFLINE_CORPUS_PACK_CORPUS_H_

#include <filesystem>
#include <vector>

#include "sinew/offline/corpus/load_corpus.h"
#include "sinew/offline/corpus/load_pack.h"
#include "sinew/offline/corpus/pack_modes.h"

namespace sinew::corpus {

struct PackOptions {
  int points = 5000;  // about how many points the working level has; bodies with fewer keep all of theirs
  PackModesOptions modes;
  // Largest size of a file, in bytes. A body that does not fit is an error: a part is what people can send around.
  size_t max_part = 15u << 20;
};

// Packs the frames of one body that are not to test with. Throws InputError if the body has none, is of several skins
// that differ in their bind pose, or has too many joints.
PackedBody PackBody(const Corpus& corpus, int b, const PackOptions& options);

// Packs all bodies that have frames to train on or to validate on, one file per body, and writes the folder atomically;
// replaces an older pack there. Bodies that a part of a corpus lacks are left out. Returns the pack's manifest.
PackManifest PackCorpus(const Corpus& corpus, const std::filesystem::path& folder, const PackOptions& options);

}  // namespace sinew::corpus

#endif  // SINEW_OFFLINE_CORPUS_PACK_CORPUS_H_
