// Packs what the training of a rigging network needs of a recipe's bodies: shapes, joints, weights, connectivities,
// dress recipes. Mixing, dressing and posing are left to the trainer. Format: docs/formats/rig-pack.md.
#ifndef SINEW_OFFLINE_CORPUS_PACK_RIG_H_
#define SINEW_OFFLINE_CORPUS_PACK_RIG_H_

#include <filesystem>
#include <string>

#include "sinew/offline/corpus/recipe.h"
#include "sinew/offline/corpus/rig_pack.h"

namespace sinew::corpus {

struct PackRigOptions {
  int training_maps = 60, test_maps = 12;         // connectivities per topology
  int training_dress = 80, test_dress = 16;       // dress recipes
  int fewest_points = 2000, most_points = 20000;  // about how many a connectivity has
  size_t max_part = 15u << 20;                    // largest size of a file, in bytes; a larger one is an error
};

// Packs all bodies of a recipe that are to train on or to validate with and are no mixes, as they are before their
// bones are scaled and before they are dressed or remeshed. Writes the folder atomically; replaces an older rig pack
// there. file: of the recipe, for messages. Throws InputError for bodies of one topology that have other triangles or
// joints.
RigPackManifest PackRig(const Recipe& recipe, const std::string& file, const std::filesystem::path& folder,
                        const PackRigOptions& options);

// Reads a recipe, or that of a corpus, whose folders are then relative to the folder that the corpus is in.
Recipe ReadRecipeOrCorpus(const std::filesystem::path& path);

}  // namespace sinew::corpus

#endif  // SINEW_OFFLINE_CORPUS_PACK_RIG_H_
